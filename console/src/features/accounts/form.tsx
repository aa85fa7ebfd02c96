import { messages } from '@trunkline/contract/messages/account'
import { messages as applicationMessages } from '@trunkline/contract/messages/application'
import { account } from '@trunkline/contract/resources/account'
import { accountDraftSchema, accountChangesSchema, type Account } from '@trunkline/contract/shapes/account'
import { Suspense } from 'react'
import { ApiKeys } from '../../panels/api-keys'
import { ResourceForm } from '../../kit/form/form'
import { validateLimits, readLimits, saveLimits } from '../../panels/limit-values'
import { Limits } from '../../panels/limits'
import { saveRecord } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { TtsCache } from '../../panels/tts-cache'
import { useReadOrRedirect } from '../../kit/form/use-read-or-redirect'
import { validateWebhooks } from '../../panels/webhook-rules'
import { RelatedCalls } from '../../panels/related-calls'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { SipDevicesSection, GeneralSection, WebhooksSection } from './form-sections'
import { ApiDetailsBox } from './api-details-box'
import { PlanBox } from './plan-box'
import { CallRecording } from './call-recording'
import { RemoveOwnAccount } from './remove-own-account'
import { rethrowAsFieldError, findDuplicateErrors } from './duplicate-account'
import { accountRemoval } from './account-removal'
import { AccountSettings } from './page'
import {
  getAccountChanges,
  toAccountDraft,
  toAccountValues,
  type AccountValues,
  type AccountWithLimits,
} from './values'

/** The plan of the user's own account, with its actions. Only the hosted edition sells plans. */
const OwnPlanBox = lazyComponent(() => import('../../panels/subscription/plan-box').then((module) => module.OwnPlanBox))

/** The plan of an account for the provider who sells it. */
const ManagedPlanBox = lazyComponent(() => import('./managed-plan-box').then((module) => module.ManagedPlanBox))

const findAccountErrors = ({ registration_hook, queue_event_hook, limits }: AccountValues) => ({
  ...validateWebhooks({ registration_hook, queue_event_hook }),
  ...validateLimits(limits),
})

/** Saves the account first, then its limits. Sends only changes. */
const saveAccount = async (sid: string, changes: object, { limits }: AccountValues, record: AccountWithLimits) => {
  if (Object.keys(changes).length > 0) await saveRecord(account, { sid, changes })
  await saveLimits({ account_sid: sid }, limits, record.limits)
  return sid
}

/** The sections that need a stored account. */
const StoredAccountSections = ({ record, readOnly }: { record: AccountWithLimits; readOnly: boolean }) => {
  const { account_sid, service_provider_sid } = record
  const owner = { account_sid, service_provider_sid }
  return (
    <>
      <SipDevicesSection account_sid={account_sid} />
      <Limits owner={owner} />
      {getFeatureFlags().callRecording ? <CallRecording record={record} readOnly={readOnly} /> : null}
      <TtsCache owner={owner} />
      <ApiKeys owner={owner} />
    </>
  )
}

const SidePlanBox = ({ row, readOnly }: { row: Account; readOnly: boolean }) =>
  getFeatureFlags().hosted ? (
    <Suspense>
      <ManagedPlanBox row={row} readOnly={readOnly} />
    </Suspense>
  ) : (
    <PlanBox row={row} />
  )

/** Adds an account, or edits it in the settings of its page. */
export const AccountForm = ({ sid }: { sid?: string }) =>
  sid === undefined ? (
    <AccountRecordForm />
  ) : (
    <AccountSettings sid={sid}>
      <AccountRecordForm sid={sid} />
    </AccountSettings>
  )

const AccountRecordForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const readAccount = useReadOrRedirect(account, applicationMessages.noAccess)
  const read = async (accountSid: string, signal: AbortSignal): Promise<AccountWithLimits> => {
    const row = await readAccount(accountSid, signal)
    return { ...row, limits: await readLimits({ account_sid: accountSid }, signal) }
  }
  const isOwnAccount = actor.scope === 'account'
  const hasOwnPlan = isOwnAccount && getFeatureFlags().hosted
  const canChangeRealm = isOwnAccount && !actor.viewOnly && getFeatureFlags().hosted
  return (
    <ResourceForm<Account, AccountValues, AccountWithLimits>
      resource={account}
      sid={sid}
      title={{ add: 'Add account', edit: 'Edit account' }}
      read={read}
      values={toAccountValues}
      body={(values, record) =>
        record ? getAccountChanges(values, record, actor) : toAccountDraft(values, service_provider_sid)
      }
      schema={sid ? accountChangesSchema : accountDraftSchema}
      rules={findAccountErrors}
      validateOnServer={(values, record) =>
        findDuplicateErrors(values, record, record?.service_provider_sid ?? service_provider_sid)
      }
      save={(body, { values, record }) =>
        (sid && record ? saveAccount(sid, body as object, values, record) : saveRecord(account, { draft: body })).catch(
          rethrowAsFieldError,
        )
      }
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(newSid, isNew) => (isNew ? paths.accounts.edit(newSid) : undefined)}
      cancelPath={isOwnAccount ? undefined : paths.accounts.list}
      actions={({ record }) =>
        record && isOwnAccount ? (
          <RemoveOwnAccount row={record} />
        ) : record ? (
          <RemoveButton resource={account} row={record} nextPath={paths.accounts.list} {...accountRemoval} />
        ) : null
      }
      aside={({ record, readOnly }) =>
        record ? (
          <>
            {hasOwnPlan ? null : <SidePlanBox row={record} readOnly={readOnly} />}
            <ApiDetailsBox row={record} readOnly={readOnly} />
            <RelatedCalls filter={isOwnAccount ? {} : { account: record.account_sid }} linksToAlerts />
          </>
        ) : null
      }
    >
      {({ record, readOnly }) => (
        <>
          {record && hasOwnPlan ? (
            <Suspense>
              <OwnPlanBox accountSid={record.account_sid} />
            </Suspense>
          ) : null}
          <GeneralSection
            isOwnAccount={isOwnAccount}
            changeRealmPath={canChangeRealm && sid ? paths.accounts.sipRealm(sid) : undefined}
          />
          <WebhooksSection />
          {record ? <StoredAccountSections record={record} readOnly={readOnly} /> : null}
        </>
      )}
    </ResourceForm>
  )
}
