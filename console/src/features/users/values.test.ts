import type { Actor } from '@trunkline/contract/policy/actor'
import type { UserRecord } from '@trunkline/contract/shapes/user'
import { describe, expect, it } from 'vitest'
import { userChanges, userDraft, userValues, type UserValues } from './values'

const admin: Actor = { scope: 'admin', user_sid: 'me' }

const record = (columns: Partial<UserRecord> = {}): UserRecord => ({
  user_sid: 'u',
  name: 'nora',
  email: 'nora@example.com',
  scope: 'read-write',
  account_sid: 'acme',
  service_provider_sid: 'north',
  provider: 'local',
  provider_userid: null,
  pending_email: null,
  phone: null,
  force_change: 0,
  is_active: 1,
  is_view_only: true,
  email_validated: 0,
  phone_validated: 0,
  email_content_opt_out: 0,
  ...columns,
})

const changes = (stored: UserRecord, edits: Partial<UserValues>, actor: Actor = admin) =>
  userChanges({ ...userValues(stored, null), ...edits }, { actor, record: stored, service_provider_sid: 'north' })

describe('the body of a user', () => {
  it.each<[string, UserRecord, Partial<UserValues>, object]>([
    ['without changes, with the fields that some servers require', record(), {}, { name: 'nora', is_view_only: 1 }],
    ['without tenants, and without null SIDs', record({ account_sid: null, service_provider_sid: null }), {}, {}],
    ['of a provider, without a null account SID', record({ account_sid: null }), {}, {}],
    ['that is deactivated', record(), { is_active: 0 }, { is_active: 0 }],
    ['with a new address, trimmed', record(), { email: ' n@example.com ' }, { email: 'n@example.com' }],
    ['with another account', record(), { account_sid: 'bolt' }, { account_sid: 'bolt', service_provider_sid: 'north' }],
    [
      'moved from admin to a provider',
      record({ account_sid: null, service_provider_sid: null }),
      { scope: 'service_provider' },
      { service_provider_sid: 'north' },
    ],
    ['with a new password', record(), { initial_password: 'secret' }, { initial_password: 'secret' }],
  ])('saves a user %s', (_, stored, edits, expected) => {
    expect(changes(stored, edits)).toEqual({ name: 'nora', is_view_only: 1, ...expected })
  })

  it('leaves out permissions and owner if users edit themselves', () => {
    const ownRecord = record({ user_sid: 'me' })
    expect(changes(ownRecord, { is_active: 0, is_view_only: 0, account_sid: 'bolt' })).toEqual({ name: 'nora' })
  })

  it('creates a user with both SIDs for an account, one for a provider, and none for an administrator', () => {
    const draft = (scope: UserValues['scope']) => userDraft({ ...userValues(undefined, 'acme'), scope }, 'north')
    expect(draft('account')).toMatchObject({ account_sid: 'acme', service_provider_sid: 'north', force_change: 1 })
    expect(draft('service_provider')).not.toHaveProperty('account_sid')
    expect(draft('service_provider')).toMatchObject({ service_provider_sid: 'north' })
    expect(draft('admin')).not.toHaveProperty('service_provider_sid')
  })
})
