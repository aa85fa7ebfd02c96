import { describe, expect, it } from 'vitest'
import type { Actor, Owner } from './actor'
import { can, getReach } from './can'
import { policy, type Action, type Kind } from './policy'

const actors = {
  A: { scope: 'admin', user_sid: 'a' },
  S: { scope: 'service_provider', user_sid: 's', service_provider_sid: 'north' },
  C: { scope: 'account', user_sid: 'c', service_provider_sid: 'north', account_sid: 'acme' },
} satisfies Record<string, Actor>

/**
 * Owners from the view of the account acme: itself, another account of its provider, its provider, another provider's
 * account, and the platform.
 */
const owners: Record<string, Owner> = {
  account: { service_provider_sid: 'north', account_sid: 'acme' },
  sibling: { service_provider_sid: 'north', account_sid: 'bolt' },
  shared: { service_provider_sid: 'north', account_sid: null },
  foreign: { service_provider_sid: 'south', account_sid: 'corp' },
  nobody: { service_provider_sid: null, account_sid: null },
}

/**
 * The actors with permission (A: admin, S: service provider, C: account), for each of the owners account, sibling, shared,
 * foreign, nobody.
 */
const tenantOnly = 'ASC AS AS A A'
const sharedRead = 'ASC AS ASC A A'
const allScopes = 'ASC ASC ASC ASC ASC'
const adminsOnly = 'A A A A A'
const record = { list: allScopes, read: tenantOnly, create: tenantOnly, update: tenantOnly, remove: tenantOnly }
const sharedRecord = { ...record, list: sharedRead, read: sharedRead }

const expected: Record<Kind, Partial<Record<Action, string>>> = {
  service_provider: {
    list: allScopes,
    read: 'ASC ASC ASC A A',
    create: adminsOnly,
    update: 'AS AS AS A A',
    remove: adminsOnly,
  },
  account: { list: 'AS AS AS AS AS', read: tenantOnly, create: 'AS AS AS A A', update: tenantOnly, remove: tenantOnly },
  user: record,
  api_key: record,
  application: record,
  voip_carrier: record,
  sip_gateway: sharedRecord,
  smpp_gateway: sharedRecord,
  predefined_carrier: { list: allScopes },
  sbc: { list: allScopes, create: adminsOnly, remove: adminsOnly },
  smpp: { list: allScopes, create: adminsOnly, remove: adminsOnly },
  phone_number: record,
  client: record,
  ms_teams_tenant: record,
  lcr: record,
  speech_credential: { ...record, list: sharedRecord.list },
  google_custom_voice: { ...record, list: sharedRecord.list },
  limit: { list: tenantOnly, create: 'AS AS AS A A', remove: 'AS AS AS A A' },
  purchased_limit: { list: tenantOnly, create: adminsOnly, remove: adminsOnly },
  webhook: { create: allScopes, read: adminsOnly },
  tts_cache: { read: tenantOnly, create: tenantOnly, remove: tenantOnly },
  live_call: { read: tenantOnly, create: tenantOnly, update: tenantOnly, remove: tenantOnly },
  capture: { list: adminsOnly },
  recent_call: { list: allScopes, read: tenantOnly, remove: tenantOnly },
  alert: { list: allScopes, read: tenantOnly },
  invite_code: { create: adminsOnly },
  password_settings: { read: allScopes, update: adminsOnly },
  system_information: { read: adminsOnly, update: adminsOnly },
  system_health: { read: adminsOnly },
  settings: { read: 'AS AS AS AS AS', update: 'AS AS AS AS AS' },
}

const actions: Action[] = ['list', 'read', 'create', 'update', 'remove']
const listPermissions = (kind: Kind, action: Action) =>
  Object.values(owners)
    .map((owner) =>
      Object.entries(actors)
        .filter(([, actor]) => can(actor, action, kind, owner))
        .map(([name]) => name)
        .join(''),
    )
    .join(' ')

describe('the policy', () => {
  it('is covered here for every kind', () => {
    expect(Object.keys(policy).sort()).toEqual(Object.keys(expected).sort())
  })

  const cases = (Object.keys(policy) as Kind[]).flatMap((kind) => actions.map((action) => [kind, action] as const))
  it.each(cases)('permits the expected actors for a %s: %s', (kind, action) => {
    expect(listPermissions(kind, action).trim()).toBe(expected[kind][action] ?? '')
  })

  it.each(actions)('permits a view-only user only to list and read: %s', (action) => {
    const viewer: Actor = { ...actors.C, viewOnly: true }
    expect(can(viewer, action, 'application', owners.account)).toBe(action === 'list' || action === 'read')
  })
})

describe('getReach', () => {
  it('limits lists as the policy limits reads', () => {
    expect(getReach(actors.A, 'application')).toEqual({ all: true })
    expect(getReach(actors.S, 'application')).toEqual({ service_provider_sid: 'north' })
    expect(getReach(actors.C, 'application')).toEqual({ account_sid: 'acme' })
    expect(getReach(actors.C, 'voip_carrier')).toEqual({ account_sid: 'acme', sharedBy: 'north' })
    // A provider belongs to no account, and appears in the list of its accounts.
    expect(getReach(actors.C, 'service_provider')).toEqual({ account_sid: 'acme', sharedBy: 'north' })
  })
})
