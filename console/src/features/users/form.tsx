import { useQuery } from '@tanstack/react-query'
import { messages as general } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/user'
import { scopeRank } from '@trunkline/contract/policy/actor'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { user } from '@trunkline/contract/resources/user'
import { isEmail } from '@trunkline/contract/session/email'
import { findPasswordErrors, type PasswordRule } from '@trunkline/contract/session/password'
import { create, update, type UserRecord } from '@trunkline/contract/shapes/user'
import { useContext } from 'react'
import { useWatch } from 'react-hook-form'
import { SelectField } from '../../fields/select-field'
import { FlagField } from '../../fields/flag-field'
import { ReadOnlyContext } from '../../fields/field-registry'
import { AccountField } from '../../fields/record-fields'
import { SecretField } from '../../fields/secret-field'
import { FormTextField } from '../../fields/text-fields'
import { ResourceForm, type FieldErrors } from '../../kit/form/form'
import { PasswordRules, usePasswordRule } from '../../panels/password-rules'
import { saveRecord } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { useReadOrRedirect } from '../../kit/form/use-read-or-redirect'
import { request } from '../../lib/client'
import { capitalize } from '../../lib/capitalize'
import { paths } from '../../lib/paths'
import { Problem } from '../../lib/problem'
import { localValues } from '../../lib/storage'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Box, KeyValues } from '../../ui/form/box'
import { CopyText } from '../../ui/copy'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { toast } from '../../ui/feedback/toast'
import { UnconfirmedEmail } from './email-note'
import { ChangeOwnPassword } from './change-own-password'
import { userRemoval } from './user-removal'
import { assignableScopes } from './scopes'
import { scopeOfUser, userChanges, userDraft, userValues, type UserValues } from './values'

/** Rethrows the server's duplicate name or email error as a field error. */
const rethrowDuplicate = (error: unknown): never => {
  if (!(error instanceof Problem) || error.msg !== messages.duplicateRefusal) throw error
  toast.bad(error.msg)
  const field = error.field === 'name' || error.field === 'email' ? error.field : 'either'
  throw new Problem(error.status, { msg: messages.duplicate[field], field: field === 'either' ? 'name' : field })
}

/** Returns whether there is no account that a user could belong to; false while unknown. */
const useHasNoAccounts = (service_provider_sid: string): boolean => {
  const { data } = useQuery({
    queryKey: ['account', 'any', service_provider_sid],
    queryFn: async ({ signal }) => {
      const response = await request(accountsOfProvider, {
        params: { service_provider_sid },
        query: { page: 1, page_size: 1 },
        signal,
      })
      return (Array.isArray(response) ? response.length : response.total) > 0
    },
    meta: { suppressErrorToast: true },
  })
  return data === false
}

/** The temporary password of another user, with the password rule. */
const TemporaryPassword = ({ isAdding, rule }: { isAdding: boolean; rule: PasswordRule }) => {
  const password = useWatch<UserValues, 'initial_password'>({ name: 'initial_password' })
  const readOnly = useContext(ReadOnlyContext)
  return (
    <Grid>
      {/* a stored password is never shown */}
      {readOnly ? null : (
        <Cell>
          <SecretField
            name="initial_password"
            label="Temporary password"
            required={isAdding}
            instruction={isAdding ? undefined : 'Leave empty to keep the current password.'}
          />
        </Cell>
      )}
      {isAdding || password ? (
        <Cell>
          <PasswordRules rule={rule} password={password} />
        </Cell>
      ) : null}
      <Cell span={12}>
        <FlagField name="force_change" label="Must create a new password at the next login" />
      </Cell>
    </Grid>
  )
}

/** Explains why the scope cannot change; undefined if it can. */
const explainFixedScope = (isOwnUser: boolean, scopeCount: number, record: UserRecord | undefined) => {
  if (isOwnUser) return messages.ownUser.scope
  if (scopeCount > 1) return undefined
  return record ? messages.scopeHelp.editing : messages.scopeHelp.adding
}

interface PermissionFieldsProps {
  isOwnUser: boolean
  record: UserRecord | undefined
  provider: string
  hasNoAccounts: boolean
}

/** The scope, owner and permissions of a user. An edit cannot raise the scope, for example from account to provider. */
const PermissionFields = ({ isOwnUser, record, provider, hasNoAccounts }: PermissionFieldsProps) => {
  const actor = useActor()
  const isFormReadOnly = useContext(ReadOnlyContext)
  const scope = useWatch<UserValues, 'scope'>({ name: 'scope' })
  const highestRank = record ? scopeRank[scopeOfUser(record)] : scopeRank.admin
  const scopes = assignableScopes(actor).filter(({ value }) => scopeRank[value] <= highestRank)
  return (
    <Grid>
      <Cell span={actor.scope === 'account' ? 12 : 6}>
        <SelectField
          name="scope"
          label="Scope"
          required
          options={scopes}
          readOnly={isOwnUser || scopes.length === 1}
          help={isFormReadOnly ? undefined : explainFixedScope(isOwnUser, scopes.length, record)}
        />
      </Cell>
      {scope === 'account' ? (
        <Cell>
          <AccountField
            name="account_sid"
            label="Account"
            provider={provider}
            required={!hasNoAccounts}
            readOnly={isOwnUser}
            placeholder="Choose account"
          />
        </Cell>
      ) : null}
      <Cell span={12}>
        <FlagField
          name="is_active"
          label="User is active"
          readOnly={isOwnUser}
          help={isOwnUser ? messages.ownUser.active : "Inactive users can't log in."}
        />
      </Cell>
      <Cell span={12}>
        <FlagField
          name="is_view_only"
          label="View only"
          readOnly={isOwnUser}
          help={isOwnUser ? messages.ownUser.viewOnly : 'Can view but not change anything.'}
        />
      </Cell>
    </Grid>
  )
}

/** Adds or edits a user. */
export const UserForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const currentProviderSid = useProviderSid()
  const rule = usePasswordRule()
  const hasNoAccounts = useHasNoAccounts(currentProviderSid)
  const read = useReadOrRedirect(user, general.noAccess) as (sid: string, signal: AbortSignal) => Promise<UserRecord>
  const isOwnUser = sid !== undefined && sid === actor.user_sid
  const defaultAccountSid = actor.scope === 'account' ? actor.account_sid : localValues.accountFilter.get()
  const providerOf = (record: UserRecord | undefined) => record?.service_provider_sid ?? currentProviderSid

  const rules = (values: UserValues, record: UserRecord | undefined): FieldErrors => ({
    ...(values.initial_password && findPasswordErrors(values.initial_password, rule).length > 0
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
      values={(record) => userValues(record, defaultAccountSid)}
      body={(values, record) =>
        record
          ? userChanges(values, { actor, record, service_provider_sid: providerOf(record) })
          : userDraft(values, currentProviderSid)
      }
      schema={sid ? update : create}
      rules={rules}
      save={(body, context) =>
        saveRecord(user, context.sid ? { sid: context.sid, changes: body } : { draft: body }).catch(rethrowDuplicate)
      }
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(_sid, isAdding) => (isAdding ? paths.users.list : undefined)}
      cancel={paths.users.list}
      actions={({ record }) =>
        record ? <RemoveButton {...userRemoval(actor)} resource={user} row={record} to={paths.users.list} /> : null
      }
      aside={({ record }) =>
        record ? (
          <Box title="API details">
            <KeyValues stacked items={[{ label: 'User SID', value: <CopyText text={record.user_sid} always /> }]} />
          </Box>
        ) : null
      }
    >
      {({ record, adding: isAdding }) => (
        <>
          <Section>
            <Grid>
              <Cell>
                <FormTextField name="name" label="Username" required maxLength={255} help="Used to log in." />
              </Cell>
              <Cell>
                <FormTextField name="email" label="Email" type="email" required maxLength={255} />
              </Cell>
              {record?.pending_email && record.pending_email === record.email ? (
                <Cell span={12}>
                  <UnconfirmedEmail record={record} isOwnUser={isOwnUser} />
                </Cell>
              ) : null}
            </Grid>
          </Section>
          <Section title="Permissions">
            <PermissionFields
              isOwnUser={isOwnUser}
              record={record}
              provider={providerOf(record)}
              hasNoAccounts={hasNoAccounts}
            />
          </Section>
          <Section title="Password">
            {record && record.provider !== 'local' ? (
              <p>{messages.externalSignIn(capitalize(record.provider))}</p>
            ) : isOwnUser && record ? (
              <ChangeOwnPassword user_sid={record.user_sid} rule={rule} />
            ) : (
              <TemporaryPassword isAdding={isAdding} rule={rule} />
            )}
          </Section>
        </>
      )}
    </ResourceForm>
  )
}
