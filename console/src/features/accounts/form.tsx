import { messages } from '@trunkline/contract/messages/account'
import { messages as applicationMessages } from '@trunkline/contract/messages/application'
import { account } from '@trunkline/contract/resources/account'
import { create, update, type Account } from '@trunkline/contract/shapes/account'
import { Application } from '../../fields/records'
import { Text } from '../../fields/text'
import { Webhook } from '../../fields/webhook'
import { ApiKeys } from '../../kit/api-keys'
import { ResourceForm } from '../../kit/form'
import { saveOne } from '../../kit/record'
import { RemoveButton } from '../../kit/remove-button'
import { useGuardedRead } from '../../kit/turn-away'
import { webhookRules } from '../../kit/webhook-rules'
import { paths } from '../../lib/paths'
import { useProviderSid } from '../../session/provider'
import { useActor } from '../../session/session'
import { Box, KeyValues } from '../../ui/box'
import { CopyText } from '../../ui/copy'
import { Cell, Grid } from '../../ui/form-layout'
import { MaskedSecret } from '../../ui/masked-secret'
import { Section } from '../../ui/section'
import { RemoveOwn } from './remove-own'
import { sayRefusal, takenAmongAccounts } from './unique'
import { useUsesOfAccount } from './uses'
import { accountChanges, accountDraft, accountValues, type AccountValues } from './values'

const rules = ({ registration_hook, queue_event_hook }: AccountValues) =>
  webhookRules({ registration_hook, queue_event_hook })

/** What programs need to know of an account. */
const Facts = ({ row }: { row: Account }) => (
  <Box title="For the API">
    <KeyValues
      stacked
      items={[
        { label: 'Account SID', value: <CopyText text={row.account_sid} always /> },
        {
          label: 'Webhook signing secret',
          value: <MaskedSecret value={row.webhook_secret} label="webhook signing secret" />,
        },
      ]}
    />
  </Box>
)

/** Adds an account, or edits one. */
export const AccountForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const inUse = useUsesOfAccount()
  const read = useGuardedRead(account, applicationMessages.noAccess)
  const own = actor.scope === 'account'
  return (
    <ResourceForm
      of={account}
      sid={sid}
      title={{ add: 'Add account', edit: 'Edit account' }}
      read={read}
      values={accountValues}
      body={(values, record) =>
        record ? accountChanges(values, record, actor) : accountDraft(values, service_provider_sid)
      }
      schema={sid ? update : create}
      rules={rules}
      before={(values, record) =>
        takenAmongAccounts(values, record, record?.service_provider_sid ?? service_provider_sid)
      }
      save={(body, saving) =>
        saveOne(account, saving.sid ? { sid: saving.sid, changes: body } : { draft: body }).catch(sayRefusal)
      }
      added={messages.added}
      saved={messages.saved}
      after={(made, adding) => (adding ? paths.accounts.edit(made) : undefined)}
      cancel={own ? undefined : paths.accounts.list}
      actions={({ record }) =>
        record && own ? (
          <RemoveOwn row={record} />
        ) : record ? (
          <RemoveButton
            of={account}
            row={record}
            to={paths.accounts.list}
            removed={({ name }) => messages.removed(name)}
            inUse={inUse}
          />
        ) : null
      }
      aside={({ record }) => (record ? <Facts row={record} /> : null)}
    >
      {({ record }) => (
        <>
          <Section>
            <Grid>
              <Cell>
                <Text name="name" label="Account name" required maxLength={64} />
              </Cell>
              <Cell>
                <Text
                  name="sip_realm"
                  label="SIP realm"
                  help="The domain where SIP devices of this account register."
                  mono
                  readOnly={own}
                  maxLength={132}
                  placeholder="sip.example.com"
                />
              </Cell>
            </Grid>
          </Section>
          <Section title="Webhooks">
            <Webhook
              name="registration_hook"
              label="Registration webhook"
              help="Asked whether a SIP device may register."
            />
          </Section>
          <Section>
            <Webhook
              name="queue_event_hook"
              label="Queue event webhook"
              help="Told when a call joins or leaves a queue."
              methods={['POST']}
            />
          </Section>
          {record ? (
            <>
              <Section title="SIP devices">
                <Application
                  name="device_calling_application_sid"
                  label="Application for calls from SIP devices"
                  none="None"
                  account={record.account_sid}
                />
              </Section>
              <ApiKeys owner={{ account_sid: record.account_sid, service_provider_sid: record.service_provider_sid }} />
            </>
          ) : null}
        </>
      )}
    </ResourceForm>
  )
}
