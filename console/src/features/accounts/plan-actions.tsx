import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PlanState } from '@trunkline/contract/billing/plan-state'
import { messages } from '@trunkline/contract/messages/plan'
import { account } from '@trunkline/contract/resources/account'
import { reactivateAccount } from '@trunkline/contract/resources/subscription'
import type { Account } from '@trunkline/contract/shapes/account'
import { useState } from 'react'
import { refreshAfterChange, saveRecord } from '../../kit/record/record'
import { request } from '../../lib/client'
import { getErrorMessage } from '../../lib/problem'
import { formatDate } from '../../lib/time'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog'
import { toast } from '../../ui/feedback/toast'
import { ExtendTrial, useExtendTrial } from './extend-trial'
import css from './managed-plan-box.module.css'

/** A change that was made here, and how to take it back. */
interface Change {
  text: string
  undo?: () => Promise<unknown>
}

const useReactivation = (account_sid: string) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => request(reactivateAccount, { params: { account_sid } }),
    meta: { suppressErrorToast: true },
    onSuccess: () => refreshAfterChange(cache, 'account'),
  })
}

/** What was changed, and the button that takes it back. An error of it becomes a toast. */
const LastChange = ({ change, onUndone }: { change: Change; onUndone: () => void }) => {
  const cache = useQueryClient()
  const undo = useMutation({
    mutationFn: () => change.undo?.() ?? Promise.resolve(),
    onSuccess: async () => {
      await refreshAfterChange(cache, 'account')
      toast.ok(messages.undone)
      onUndone()
    },
  })
  return (
    <p className={css.done} role="status">
      {change.text}
      {change.undo ? (
        <Button size="sm" pending={undo.isPending} onClick={() => undo.mutate()}>
          Undo
        </Button>
      ) : null}
    </p>
  )
}

interface PlanActionsProps {
  row: Account
  state: PlanState
}

/** What a provider can do about a plan that is not paid: extend its trial, or activate the account again. */
export const PlanActions = ({ row, state }: PlanActionsProps) => {
  const { account_sid, name, trial_end_date, deactivated_reason } = row
  const [openDialog, setOpenDialog] = useState<'trial' | 'reactivation'>()
  const [change, setChange] = useState<Change>()
  const restoreTrial = useExtendTrial(account_sid)
  const reactivation = useReactivation(account_sid)
  const close = () => {
    setOpenDialog(undefined)
    reactivation.reset()
  }
  const finish = (nextChange: Change) => {
    setChange(nextChange)
    close()
  }
  const extendLabel = state === 'free' ? messages.startTrial : messages.extendTrial
  const onExtended = (trialEnd: string) =>
    finish({
      text: messages.trialExtended(formatDate(trialEnd)),
      // the server cannot restore a trial that was over
      ...(state === 'trial' && trial_end_date ? { undo: () => restoreTrial.mutateAsync(trial_end_date) } : {}),
    })
  const onReactivated = () =>
    finish({
      text: messages.reactivated,
      undo: () => saveRecord(account, { sid: account_sid, changes: { is_active: 0, deactivated_reason } }),
    })
  return (
    <>
      <div className={css.actions}>
        <Button size="sm" onClick={() => setOpenDialog('trial')}>
          {extendLabel}
        </Button>
        {row.is_active ? null : (
          <Button size="sm" onClick={() => setOpenDialog('reactivation')}>
            {messages.reactivate}
          </Button>
        )}
      </div>
      {change ? <LastChange change={change} onUndone={() => setChange(undefined)} /> : null}
      {openDialog === 'trial' ? (
        <ExtendTrial row={row} title={extendLabel} onExtended={onExtended} onClose={close} />
      ) : null}
      <ConfirmDialog
        opened={openDialog === 'reactivation'}
        title={messages.reactivate}
        question={
          <>
            Are you sure you want to reactivate <strong>{name}</strong>? {messages.reactivateQuestion}
          </>
        }
        confirmLabel={messages.reactivate}
        tone="primary"
        pending={reactivation.isPending}
        error={reactivation.error ? getErrorMessage(reactivation.error) : undefined}
        onConfirm={() => reactivation.mutate(undefined, { onSuccess: onReactivated })}
        onClose={close}
      />
    </>
  )
}
