import { scopeOf, type Actor, type Scope } from '@trunkline/contract/policy/actor'
import type { User, UserChanges, UserDraft, UserRecord } from '@trunkline/contract/shapes/user'

/** A user as its form holds it. `scope` is not the record's column of that name: it stands for whose the user is. */
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

const owner = ({
  service_provider_sid = null,
  account_sid = null,
}: Pick<User, 'service_provider_sid' | 'account_sid'>) => ({
  service_provider_sid,
  account_sid,
})

/** The scope of a record out of whose it is. */
export const scopeOfUser = (record: UserRecord): Scope => scopeOf(owner(record))

/** A new user is one of an account, and must soon have a password that nobody else knows. */
export const userValues = (record: UserRecord | undefined, account_sid: string | null): UserValues =>
  record
    ? {
        name: record.name,
        email: record.email,
        initial_password: '',
        scope: scopeOfUser(record),
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
const flag = (value: number): Flag => (value ? 1 : 0)

/** The sids that say whose the user is. Both are told of an account's user: some servers take it for more without. */
const sidsOf = ({ scope, account_sid }: UserValues, service_provider_sid: string) => {
  if (scope === 'admin') return {}
  return scope === 'account' && account_sid ? { service_provider_sid, account_sid } : { service_provider_sid }
}

export const userDraft = (values: UserValues, service_provider_sid: string): UserDraft => ({
  name: values.name.trim(),
  email: values.email.trim(),
  initial_password: values.initial_password,
  force_change: flag(values.force_change),
  is_active: flag(values.is_active),
  is_view_only: flag(values.is_view_only),
  ...sidsOf(values, service_provider_sid),
})

export interface Editing {
  actor: Actor
  record: UserRecord
  /** The provider of the user, or the current one for a user of none. */
  service_provider_sid: string
}

/**
 * What of a user was changed. The name always goes along, because some servers see no update without; so does the
 * permission to look only, which they take away when nothing is said of it. Sids that are null are refused.
 */
export const userChanges = (values: UserValues, { actor, record, service_provider_sid }: Editing): UserChanges => {
  const before = userValues(record, null)
  const own = record.user_sid === actor.user_sid
  const moved =
    values.scope !== before.scope || (values.scope === 'account' && values.account_sid !== before.account_sid)
  const email = values.email.trim()
  return {
    name: values.name.trim(),
    ...(email === before.email ? {} : { email }),
    ...(values.initial_password ? { initial_password: values.initial_password } : {}),
    ...(values.force_change === before.force_change ? {} : { force_change: flag(values.force_change) }),
    ...(own
      ? {}
      : {
          ...(values.is_active === before.is_active ? {} : { is_active: flag(values.is_active) }),
          is_view_only: flag(values.is_view_only),
          ...(moved ? sidsOf(values, service_provider_sid) : {}),
        }),
  }
}
