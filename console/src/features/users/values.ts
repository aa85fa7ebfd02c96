import { getScope, type Actor, type Scope } from '@trunkline/contract/policy/actor'
import type { User, UserChanges, UserDraft, UserRecord } from '@trunkline/contract/shapes/user'

/** The form values of a user. `scope` is not the record's column of that name: it is derived from the owner. */
export interface UserValues {
  name: string
  email: string
  initial_password: string
  scope: Scope
  account_sid: string | null
  is_active: number
  force_change: number
  is_view_only: number
}

const getOwner = ({
  service_provider_sid = null,
  account_sid = null,
}: Pick<User, 'service_provider_sid' | 'account_sid'>) => ({
  service_provider_sid,
  account_sid,
})

/** Derives the scope of a record from its owner. */
export const getUserScope = (record: Partial<Pick<UserRecord, 'account_sid' | 'service_provider_sid'>>): Scope =>
  getScope(getOwner(record))

/** Returns the form values. By default, a new user belongs to an account and must replace the temporary password. */
export const toUserValues = (record: UserRecord | undefined, account_sid: string | null): UserValues =>
  record
    ? {
        name: record.name ?? '',
        email: record.email ?? '',
        initial_password: '',
        scope: getUserScope(record),
        account_sid: record.account_sid,
        is_active: record.is_active,
        force_change: record.force_change,
        is_view_only: Number(record.is_view_only),
      }
    : {
        name: '',
        email: '',
        initial_password: '',
        scope: 'account',
        account_sid,
        is_active: 1,
        force_change: 1,
        is_view_only: 0,
      }

type Flag = 0 | 1
const toFlag = (value: number): Flag => (value ? 1 : 0)

/**
 * The SIDs of the user's owner. An account user gets both, because some servers assign a wider scope if one is missing.
 */
const toOwnerSids = ({ scope, account_sid }: UserValues, service_provider_sid: string) => {
  if (scope === 'admin') return {}
  return scope === 'account' && account_sid ? { service_provider_sid, account_sid } : { service_provider_sid }
}

export const toUserDraft = (values: UserValues, service_provider_sid: string): UserDraft => ({
  name: values.name.trim(),
  email: values.email.trim(),
  initial_password: values.initial_password,
  force_change: toFlag(values.force_change),
  is_active: toFlag(values.is_active),
  is_view_only: toFlag(values.is_view_only),
  ...toOwnerSids(values, service_provider_sid),
})

/** The context of an edit. */
export interface UserEdit {
  actor: Actor
  record: UserRecord
  /** The user's provider, or the current one for a user without a provider. */
  service_provider_sid: string
}

/**
 * Returns the changed columns. Always includes the name, because some servers refuse an update without it, and the
 * view-only flag, because they reset it if it is missing. Servers refuse SIDs that are null.
 */
export const getUserChanges = (values: UserValues, { actor, record, service_provider_sid }: UserEdit): UserChanges => {
  const valuesBefore = toUserValues(record, null)
  const isOwnUser = record.user_sid === actor.user_sid
  const hasNewOwner =
    values.scope !== valuesBefore.scope ||
    (values.scope === 'account' && values.account_sid !== valuesBefore.account_sid)
  const email = values.email.trim()
  return {
    name: values.name.trim(),
    ...(email === valuesBefore.email ? {} : { email }),
    ...(values.initial_password ? { initial_password: values.initial_password } : {}),
    ...(values.force_change === valuesBefore.force_change ? {} : { force_change: toFlag(values.force_change) }),
    ...(isOwnUser
      ? {}
      : {
          ...(values.is_active === valuesBefore.is_active ? {} : { is_active: toFlag(values.is_active) }),
          is_view_only: toFlag(values.is_view_only),
          ...(hasNewOwner ? toOwnerSids(values, service_provider_sid) : {}),
        }),
  }
}
