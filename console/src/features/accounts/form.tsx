import { messages } from '@trunkline/contract/messages/account'
import { messages as applicationMessages } from '@trunkline/contract/messages/application'
import { account } from '@trunkline/contract/resources/account'
import { create, update, type Account } from '@trunkline/contract/shapes/account'
import { ApiKeys } from '../../panels/api-keys'
import { ResourceForm } from '../../kit/form/form'
import { limitFaults, readLimits, saveLimits } from '../../panels/limit-values'
import { Limits } from '../../panels/limits'
import { saveOne } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { TtsCache } from '../../panels/tts-cache'
import { useGuardedRead } from '../../kit/form/use-turn-away'
import { webhookRules } from '../../panels/webhook-rules'
import { RelatedCalls } from '../../panels/related-calls'
import { featureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Devices, General, Hooks } from './form-sections'
import { Facts } from './api-values-box'
import { PlanBox } from './plan-box'
import { Recording } from './call-recording'
import { RemoveOwn } from './remove-own-account'
import { sayRefusal, takenAmongAccounts } from './duplicate-account'
import { usesOfAccount } from './lazy-dependents'
import { accountChanges, accountDraft, accountValues, type AccountValues, type WholeAccount } from './values'

const rules = ({ registration_hook, queue_event_hook, limits }: AccountValues) => ({
  ...webhookRules({ registration_hook, queue_event_hook }),
  ...limitFaults(limits),
})

/** Saves the account first, then its limits. Sends only changes. */
const save = async (sid: string, changes: object, { limits }: AccountValues, record: WholeAccount) => {
  if (Object.keys(changes).length > 0) await saveOne(account, { sid, changes })
  await saveLimits({ account_sid: sid }, limits, record.limits)
  return sid
}

/** The sections that need a stored account. */
const Parts = ({ record, readOnly }: { record: WholeAccount; readOnly: boolean }) => {
  const { account_sid, service_provider_sid } = record
  const owner = { account_sid, service_provider_sid }
  return (
    <>
      <Devices account_sid={account_sid} />
      <Limits owner={owner} />
      {featureFlags().callRecording ? <Recording record={record} readOnly={readOnly} /> : null}
      <TtsCache owner={owner} />
      <ApiKeys owner={owner} />
    </>
  )
}

/** Adds or edits an account. */
export const AccountForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const readAccount = useGuardedRead(account, applicationMessages.noAccess)
  const read = async (asked: string, signal: AbortSignal): Promise<WholeAccount> => {
    const row = await readAccount(asked, signal)
    return { ...row, limits: await readLimits({ account_sid: asked }, signal) }
  }
  const own = actor.scope === 'account'
  return (
    <ResourceForm<Account, AccountValues, WholeAccount>
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
      save={(body, { values, record }) =>
        (sid && record ? save(sid, body as object, values, record) : saveOne(account, { draft: body })).catch(
          sayRefusal,
        )
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
            inUse={usesOfAccount}
          />
        ) : null
      }
      aside={({ record, readOnly }) =>
        record ? (
          <>
            <PlanBox row={record} />
            <Facts row={record} readOnly={readOnly} />
            <RelatedCalls filter={own ? {} : { account: record.account_sid }} alerts />
          </>
        ) : null
      }
    >
      {({ record, readOnly }) => (
        <>
          <General own={own} />
          <Hooks />
          {record ? <Parts record={record} readOnly={readOnly} /> : null}
        </>
      )}
    </ResourceForm>
  )
}
