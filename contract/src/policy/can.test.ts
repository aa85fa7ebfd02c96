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
  own: { service_provider_sid: 'north', account_sid: 'acme' },
  sibling: { service_provider_sid: 'north', account_sid: 'bolt' },
  shared: { service_provider_sid: 'north', account_sid: null },
  foreign: { service_provider_sid: 'south', account_sid: 'corp' },
  nobody: { service_provider_sid: null, account_sid: null },
}

/**
 * The scopes with permission (Admin, Service provider, Account), for the owners own, sibling, shared, foreign,
 * nobody.
 */
const tenant = 'ASC AS AS A A'
const sharedReading = 'ASC AS ASC A A'
const all = 'ASC ASC ASC ASC ASC'
const admins = 'A A A A A'
const record = { list: all, read: tenant, create: tenant, update: tenant, remove: tenant }
const withShared = { ...record, list: sharedReading, read: sharedReading }

const expected: Record<Kind, Partial<Record<Action, string>>> = {
  service_provider: { list: all, read: 'ASC ASC ASC A A', create: admins, update: 'AS AS AS A A', remove: admins },
  account: { list: 'AS AS AS AS AS', read: tenant, create: 'AS AS AS A A', update: tenant, remove: tenant },
  user: record,
  api_key: record,
  application: record,
  voip_carrier: record,
  sip_gateway: withShared,
  smpp_gateway: withShared,
  predefined_carrier: { list: all },
  sbc: { list: all, create: admins, remove: admins },
  smpp: { list: all, create: admins, remove: admins },
  phone_number: record,
  client: record,
  ms_teams_tenant: record,
  lcr: record,
  speech_credential: { ...record, list: withShared.list },
  google_custom_voice: { ...record, list: withShared.list },
  limit: { list: tenant, create: 'AS AS AS A A', remove: 'AS AS AS A A' },
  every_limit: { list: tenant, create: admins, remove: admins },
  webhook: { create: all, read: admins },
  tts_cache: { read: tenant, create: tenant, remove: tenant },
  live_call: { read: tenant, create: tenant, update: tenant, remove: tenant },
  capture: { list: admins },
  recent_call: { list: all, read: tenant, remove: tenant },
  alert: { list: all, read: tenant },
  password_settings: { read: all, update: admins },
  system_information: { read: admins, update: admins },
  settings: { read: 'AS AS AS AS AS', update: 'AS AS AS AS AS' },
}

const actions: Action[] = ['list', 'read', 'create', 'update', 'remove']
const actual = (kind: Kind, action: Action) =>
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
  it.each(cases)('%s: %s', (kind, action) => {
    expect(actual(kind, action).trim()).toBe(expected[kind][action] ?? '')
  })

  it.each(actions)('lets a view-only user %s only if it is a read', (action) => {
    const viewer: Actor = { ...actors.C, viewOnly: true }
    expect(can(viewer, action, 'application', owners.own)).toBe(action === 'list' || action === 'read')
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
