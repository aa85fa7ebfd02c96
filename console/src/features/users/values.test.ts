import type { Actor } from '@trunkline/contract/policy/actor'
import type { UserRecord } from '@trunkline/contract/shapes/user'
import { describe, expect, it } from 'vitest'
import { getUserChanges, toUserDraft, toUserValues, type UserValues } from './values'

const admin: Actor = { scope: 'admin', user_sid: 'me' }

const createRecord = (columns: Partial<UserRecord> = {}): UserRecord => ({
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

const getChanges = (record: UserRecord, edits: Partial<UserValues>, actor: Actor = admin) =>
  getUserChanges({ ...toUserValues(record, null), ...edits }, { actor, record, service_provider_sid: 'north' })

describe('the body of a user', () => {
  it.each<[string, UserRecord, Partial<UserValues>, object]>([
    [
      'without changes, with the fields that some servers require',
      createRecord(),
      {},
      { name: 'nora', is_view_only: 1 },
    ],
    ['without tenants, and without null SIDs', createRecord({ account_sid: null, service_provider_sid: null }), {}, {}],
    ['of a provider, without a null account SID', createRecord({ account_sid: null }), {}, {}],
    ['that is deactivated', createRecord(), { is_active: 0 }, { is_active: 0 }],
    ['with a new address, trimmed', createRecord(), { email: ' n@example.com ' }, { email: 'n@example.com' }],
    [
      'with another account',
      createRecord(),
      { account_sid: 'bolt' },
      { account_sid: 'bolt', service_provider_sid: 'north' },
    ],
    [
      'moved from admin to a provider',
      createRecord({ account_sid: null, service_provider_sid: null }),
      { scope: 'service_provider' },
      { service_provider_sid: 'north' },
    ],
    ['with a new password', createRecord(), { initial_password: 'secret' }, { initial_password: 'secret' }],
  ])('saves a user %s', (_, record, edits, expected) => {
    expect(getChanges(record, edits)).toEqual({ name: 'nora', is_view_only: 1, ...expected })
  })

  it('leaves out permissions and owner if users edit themselves', () => {
    const ownRecord = createRecord({ user_sid: 'me' })
    expect(getChanges(ownRecord, { is_active: 0, is_view_only: 0, account_sid: 'bolt' })).toEqual({ name: 'nora' })
  })

  it('creates a user with both SIDs for an account, one for a provider, and none for an administrator', () => {
    const createDraft = (scope: UserValues['scope']) =>
      toUserDraft({ ...toUserValues(undefined, 'acme'), scope }, 'north')
    expect(createDraft('account')).toMatchObject({
      account_sid: 'acme',
      service_provider_sid: 'north',
      force_change: 1,
    })
    expect(createDraft('service_provider')).not.toHaveProperty('account_sid')
    expect(createDraft('service_provider')).toMatchObject({ service_provider_sid: 'north' })
    expect(createDraft('admin')).not.toHaveProperty('service_provider_sid')
  })
})
