import { useQuery } from '@tanstack/react-query'
import { messages as generalMessages } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/user'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { user } from '@trunkline/contract/resources/user'
import { isEmail } from '@trunkline/contract/session/email'
import { findPasswordErrors } from '@trunkline/contract/session/password'
import { userDraftSchema, userChangesSchema, type UserRecord } from '@trunkline/contract/shapes/user'
import { ResourceForm, type FieldErrors } from '../../kit/form/form'
import { usePasswordRule } from '../../panels/password-rules'
import { saveRecord } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { useReadOrRedirect } from '../../kit/form/use-read-or-redirect'
import { requestList } from '../../lib/request-list'
import { paths } from '../../lib/paths'
import { Problem } from '../../lib/problem'
import { localValues } from '../../lib/storage'
import { namedQueryKey } from '../../lib/query-keys'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Box, KeyValues } from '../../ui/form/box'
import { CopyText } from '../../ui/copy'
import { toast } from '../../ui/feedback/toast'
import { IdentitySection, PasswordSection, PermissionsSection } from './form-sections'
import { UserSettings } from './page'
import { createUserRemoval } from './user-removal'
import { getUserChanges, toUserDraft, toUserValues, type UserValues } from './values'

/** Shows the server's duplicate name or email error in a toast, and rethrows it as a field error. */
const rethrowDuplicateUser = (error: unknown): never => {
  if (!(error instanceof Problem) || error.msg !== messages.duplicateRefusal) throw error
  toast.bad(error.msg)
  const field = error.field === 'name' || error.field === 'email' ? error.field : 'either'
  throw new Problem(error.status, { msg: messages.duplicate[field], field: field === 'either' ? 'name' : field })
}

/** Returns whether the provider has no account that a user could belong to; false while unknown. */
const useHasNoAccounts = (service_provider_sid: string): boolean => {
  const { data } = useQuery({
    queryKey: namedQueryKey('account', 'exists', service_provider_sid),
    queryFn: async ({ signal }) => {
      const { rows } = await requestList(accountsOfProvider, {
        params: { service_provider_sid },
        query: { page: 1, page_size: 1 },
        signal,
      })
      return rows.length > 0
    },
    meta: { suppressErrorToast: true },
  })
  return data === false
}

/** Adds or edits a user. */
export const UserForm = ({ sid }: { sid?: string }) =>
  sid === undefined ? (
    <UserRecordForm />
  ) : (
    <UserSettings sid={sid}>
      <UserRecordForm sid={sid} />
    </UserSettings>
  )

const UserRecordForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const currentProviderSid = useProviderSid()
  const passwordRule = usePasswordRule()
  const hasNoAccounts = useHasNoAccounts(currentProviderSid)
  // the route for one user returns more columns than the list
  const read = useReadOrRedirect(user, generalMessages.noAccess) as (
    sid: string,
    signal: AbortSignal,
  ) => Promise<UserRecord>
  const isOwnUser = sid !== undefined && sid === actor.user_sid
  const defaultAccountSid = actor.scope === 'account' ? actor.account_sid : localValues.accountFilter.get()
  const getProviderSid = (record: UserRecord | undefined) => record?.service_provider_sid ?? currentProviderSid

  const findUserErrors = (values: UserValues, record: UserRecord | undefined): FieldErrors => ({
    ...(values.initial_password && findPasswordErrors(values.initial_password, passwordRule).length > 0
      ? { initial_password: messages.invalidPassword }
      : {}),
    ...(values.email.trim() !== record?.email && !isEmail(values.email.trim()) ? { email: messages.invalidEmail } : {}),
    ...(values.scope === 'account' && !values.account_sid && hasNoAccounts ? { account_sid: messages.noAccounts } : {}),
  })

  return (
    <ResourceForm
      resource={user}
      sid={sid}
      title={{ add: 'Add user', edit: 'Edit user' }}
      read={read}
      values={(record) => toUserValues(record, defaultAccountSid)}
      body={(values, record) =>
        record
          ? getUserChanges(values, { actor, record, service_provider_sid: getProviderSid(record) })
          : toUserDraft(values, currentProviderSid)
      }
      schema={sid ? userChangesSchema : userDraftSchema}
      rules={findUserErrors}
      save={(body, context) =>
        saveRecord(user, context.sid ? { sid: context.sid, changes: body } : { draft: body }).catch(
          rethrowDuplicateUser,
        )
      }
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(_sid, isNew) => (isNew ? paths.users.list : undefined)}
      cancelPath={paths.users.list}
      actions={({ record }) =>
        record ? (
          <RemoveButton {...createUserRemoval(actor)} resource={user} row={record} nextPath={paths.users.list} />
        ) : null
      }
      aside={({ record }) =>
        record ? (
          <Box title="API details">
            <KeyValues
              stacked
              items={[{ label: 'User SID', value: <CopyText text={record.user_sid} alwaysShowCopyButton /> }]}
            />
          </Box>
        ) : null
      }
    >
      {({ record }) => (
        <>
          <IdentitySection record={record} isOwnUser={isOwnUser} />
          <PermissionsSection
            record={record}
            isOwnUser={isOwnUser}
            service_provider_sid={getProviderSid(record)}
            hasNoAccounts={hasNoAccounts}
          />
          <PasswordSection record={record} isOwnUser={isOwnUser} passwordRule={passwordRule} />
        </>
      )}
    </ResourceForm>
  )
}
