import { messages } from '@trunkline/contract/messages/user'
import { scopeRank } from '@trunkline/contract/policy/actor'
import type { PasswordRule } from '@trunkline/contract/session/password'
import type { UserRecord } from '@trunkline/contract/shapes/user'
import { useContext } from 'react'
import { useWatch } from 'react-hook-form'
import { ReadOnlyContext } from '../../fields/field-registry'
import { FlagField } from '../../fields/flag-field'
import { AccountField } from '../../fields/record-fields'
import { SecretField } from '../../fields/secret-field'
import { SelectField } from '../../fields/select-field'
import { FormTextField } from '../../fields/text-fields'
import { capitalize } from '../../lib/capitalize'
import { PasswordRules } from '../../panels/password-rules'
import { useActor } from '../../session/session'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { ChangeOwnPassword } from './change-own-password'
import { listAssignableScopes } from './scopes'
import { UnconfirmedEmail } from './unconfirmed-email'
import { getUserScope, type UserValues } from './values'

interface UserSectionProps {
  /** The user; undefined for a new one. */
  record: UserRecord | undefined
  /** The signed-in user edits their own record. */
  isOwnUser: boolean
}

/** Username and email address. */
export const IdentitySection = ({ record, isOwnUser }: UserSectionProps) => (
  <Section title="General">
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
)

/** Explains why the scope cannot change; undefined if it can. */
const explainFixedScope = (isOwnUser: boolean, scopeCount: number, record: UserRecord | undefined) => {
  if (isOwnUser) return messages.ownUser.scope
  if (scopeCount > 1) return undefined
  return record ? messages.scopeHelp.editing : messages.scopeHelp.adding
}

interface PermissionsSectionProps extends UserSectionProps {
  /** The provider whose accounts can be selected. */
  service_provider_sid: string
  hasNoAccounts: boolean
}

/** The scope, owner and permissions of a user. An edit cannot raise the scope, for example from account to provider. */
export const PermissionsSection = ({
  isOwnUser,
  record,
  service_provider_sid,
  hasNoAccounts,
}: PermissionsSectionProps) => {
  const actor = useActor()
  const isFormReadOnly = useContext(ReadOnlyContext)
  const scope = useWatch<UserValues, 'scope'>({ name: 'scope' })
  const highestRank = record ? scopeRank[getUserScope(record)] : scopeRank.admin
  const scopes = listAssignableScopes(actor).filter(({ value }) => scopeRank[value] <= highestRank)
  return (
    <Section title="Permissions">
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
              providerSid={service_provider_sid}
              // if there is none to select, a rule of the form explains it instead
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
    </Section>
  )
}

/** The temporary password of another user, with the password rule. */
const TemporaryPassword = ({ isNew, passwordRule }: { isNew: boolean; passwordRule: PasswordRule }) => {
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
            required={isNew}
            instruction={isNew ? undefined : 'Leave empty to keep the current password.'}
          />
        </Cell>
      )}
      {isNew || password ? (
        <Cell>
          <PasswordRules rule={passwordRule} password={password} />
        </Cell>
      ) : null}
      <Cell span={12}>
        <FlagField name="force_change" label="Must create a new password at the next login" />
      </Cell>
    </Grid>
  )
}

interface PasswordSectionProps extends UserSectionProps {
  passwordRule: PasswordRule
}

/** Users change their own password, and set a temporary one for others. External users have no password here. */
export const PasswordSection = ({ record, isOwnUser, passwordRule }: PasswordSectionProps) => (
  <Section title="Password">
    {record?.provider && record.provider !== 'local' ? (
      <p>{messages.externalSignIn(capitalize(record.provider))}</p>
    ) : isOwnUser && record ? (
      <ChangeOwnPassword user_sid={record.user_sid} passwordRule={passwordRule} />
    ) : (
      <TemporaryPassword isNew={record === undefined} passwordRule={passwordRule} />
    )}
  </Section>
)
