import { expect, it } from 'vitest'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { resolveProvider } from './current-provider'

const provider = (name: string): ServiceProvider => ({
  service_provider_sid: `sid of ${name}`,
  name,
  description: null,
  root_domain: null,
  ms_teams_fqdn: null,
  registration_hook: null,
})

const all = [provider('Ant'), provider('Bee')]

it.each([
  ['the chosen provider', 'sid of Bee', 'Bee'],
  ['the first by name when the chosen provider no longer exists', 'sid of Cat', 'Ant'],
  ['the first by name when no provider was chosen', null, 'Ant'],
])('picks %s', (_, chosen, name) => {
  expect(resolveProvider(all, chosen)?.name).toBe(name)
})

it('picks none if there are none', () => expect(resolveProvider([], 'x')).toBeUndefined())
