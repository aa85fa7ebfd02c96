import { randomInt, randomUUID } from 'node:crypto'
import type { World } from './world'

export const name = () => ({ name: `thing ${randomUUID()}` })
export const ofAcme = (world: World) => ({ ...name(), account_sid: world.acme.account })
export const hook = { url: 'https://example.com/hook' }
export const anApplication = (world: World) => ({ ...ofAcme(world), call_hook: hook, call_status_hook: hook })
export const aNumber = (world: World) => ({ number: `1999${randomInt(1e9)}`, account_sid: world.acme.account })
export const anSmppGateway = (voip_carrier_sid: string) => ({
  voip_carrier_sid,
  ipv4: `smpp.${randomUUID()}.example.com`,
})
export const aRoute = ({ acme }: World) => ({ lcr_sid: acme.lcr, regex: '44', priority: 3 })
export const anEntry = ({ acme }: World) => ({ lcr_route_sid: acme.lcr_route, voip_carrier_sid: acme.voip_carrier })
export const aClient = (world: World) => ({ username: `desk-${randomUUID()}`, account_sid: world.acme.account })
export const aTenant = (world: World) => ({
  tenant_fqdn: `${randomUUID()}.example.com`,
  account_sid: world.acme.account,
  service_provider_sid: world.providers.north,
})
export const aGateway = (voip_carrier_sid: string) => ({
  voip_carrier_sid,
  ipv4: `198.18.${randomInt(256)}.${randomInt(256)}`,
  inbound: 1,
  outbound: 0,
})
export const aNobody = () => {
  const { name: item } = name()
  return { name: item, email: `${item.replace(' ', '.')}@example.com`, initial_password: 'Correct-horse-2' }
}
export const aUser = (world: World) => ({ ...aNobody(), account_sid: world.acme.account })
export const shared = (world: World) => world.shared.north
export const aLimit = () => ({ category: 'voice_call_session', quantity: 5 })
export const anSbc = () => ({ ipv4: `203.0.113.${randomInt(250)}` })

export const aHook = () => ({ url: 'https://example.com/hook' })
export const aCredential = ({ acme, providers }: World) => ({
  vendor: 'soniox',
  api_key: 'key',
  account_sid: acme.account,
  service_provider_sid: providers.north,
})
export const aVoice = ({ acme }: World) => ({ ...name(), model: 'm', speech_credential_sid: acme.speech_credential })
