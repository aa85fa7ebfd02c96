import { secretPlaceholder } from '@trunkline/contract/kit/secret'
import { messages } from '@trunkline/contract/messages/account'
import { webhookSecret } from '@trunkline/contract/resources/account'
import type { Account } from '@trunkline/contract/shapes/account'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { useRecordAction } from '../../kit/record/record-mutations'
import { request } from '../../lib/client'
import { getErrorMessage } from '../../lib/problem'
import { Box, KeyValues } from '../../ui/form/box'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog'
import { CopyText } from '../../ui/copy'
import { maskSecret, MaskedSecret } from '../../ui/form/masked-secret'
import { toast } from '../../ui/feedback/toast'
import css from './side-box.module.css'

/**
 * Replaces the webhook signing secret after a confirmation, because signatures that were made with the old one become
 * invalid.
 */
const RegenerateSecretButton = ({ account_sid, name }: Account) => {
  const [isConfirming, setIsConfirming] = useState(false)
  const regenerate = useRecordAction('account', () =>
    request(webhookSecret, { params: { account_sid }, query: { regenerate: 'true' } }),
  )
  const close = () => {
    setIsConfirming(false)
    regenerate.reset()
  }
  const confirm = () =>
    regenerate.mutate(undefined, {
      onSuccess: () => {
        toast.ok(messages.secretGenerated)
        close()
      },
    })
  return (
    <>
      <Button size="sm" icon={RefreshCw} onClick={() => setIsConfirming(true)}>
        Generate a new secret
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        title="Webhook signing secret"
        question={
          <>
            Are you sure you want to generate a new webhook signing secret for <strong>{name}</strong>? Webhooks are
            then signed with the new secret. Give it to the programs that check signatures.
          </>
        }
        confirmLabel="Generate"
        pending={regenerate.isPending}
        error={regenerate.error ? getErrorMessage(regenerate.error) : undefined}
        onConfirm={confirm}
        onClose={close}
      />
    </>
  )
}

/** The SID and the webhook signing secret of the account, for API clients. */
export const ApiDetailsBox = ({ row, readOnly }: { row: Account; readOnly: boolean }) => (
  <Box title="API details">
    <KeyValues
      stacked
      items={[
        { label: 'Account SID', value: <CopyText text={row.account_sid} alwaysShowCopyButton /> },
        {
          label: 'Webhook signing secret',
          value: (
            <span className={css.secret}>
              <MaskedSecret
                value={readOnly ? maskSecret(secretPlaceholder) : (row.webhook_secret ?? '')}
                label="webhook signing secret"
                revealable={!readOnly && Boolean(row.webhook_secret)}
              />
              {readOnly ? null : <RegenerateSecretButton {...row} />}
            </span>
          ),
        },
      ]}
    />
  </Box>
)
