import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Action, Kind } from '@trunkline/contract/policy/policy'
import { afterEach, expect, it } from 'vitest'
import { setFeatureFlags } from '../lib/feature-flags'
import { hasPermission } from './permission'

const owner = { service_provider_sid: 'north', account_sid: 'acme' }
const account: Actor = { scope: 'account', ...owner }
const provider: Actor = { scope: 'service_provider', service_provider_sid: 'north' }

afterEach(() => setFeatureFlags(defaultFeatureFlags))

it.each<[Action, Kind, boolean]>([
  ['create', 'voip_carrier', false],
  ['update', 'voip_carrier', false],
  ['remove', 'voip_carrier', false],
  ['read', 'voip_carrier', true],
  ['create', 'phone_number', false],
  ['update', 'phone_number', true],
  ['remove', 'phone_number', true],
  ['create', 'application', true],
])('permission of an account to %s a %s if the feature flag adminCarrier is on: %s', (action, kind, isAllowed) => {
  expect(hasPermission(account, action, kind, owner)).toBe(true)
  setFeatureFlags({ ...defaultFeatureFlags, adminCarrier: true })
  expect(hasPermission(account, action, kind, owner)).toBe(isAllowed)
  expect(hasPermission(provider, action, kind, owner)).toBe(true)
})
