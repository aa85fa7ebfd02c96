import { expect, it } from 'vitest'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { resolveProvider } from './current-provider'

const createProvider = (name: string): ServiceProvider => ({
  service_provider_sid: `sid of ${name}`,
  name,
  description: null,
  root_domain: null,
  ms_teams_fqdn: null,
  registration_hook: null,
})

const providers = [createProvider('Ant'), createProvider('Bee')]

it.each([
  ['the stored provider', 'sid of Bee', 'Bee'],
  ['the first by name if the stored provider no longer exists', 'sid of Cat', 'Ant'],
  ['the first by name if no provider is stored', null, 'Ant'],
])('picks %s', (_, storedSid, name) => {
  expect(resolveProvider(providers, storedSid)?.name).toBe(name)
})

it('picks none if there are none', () => expect(resolveProvider([], 'x')).toBeUndefined())
