import { randomInt, randomUUID } from 'node:crypto'
import type { TestData } from './test-data'

export const newName = () => ({ name: `thing ${randomUUID()}` })
export const acmeDraft = (testData: TestData) => ({ ...newName(), account_sid: testData.acme.account })
export const hookDraft = { url: 'https://example.com/hook' }
export const applicationDraft = (testData: TestData) => ({
  ...acmeDraft(testData),
  call_hook: hookDraft,
  call_status_hook: hookDraft,
})
export const phoneNumberDraft = (testData: TestData) => ({
  number: `1999${randomInt(1e9)}`,
  account_sid: testData.acme.account,
})
export const smppGatewayDraft = (voip_carrier_sid: string) => ({
  voip_carrier_sid,
  ipv4: `smpp.${randomUUID()}.example.com`,
})
export const lcrRouteDraft = ({ acme }: TestData) => ({ lcr_sid: acme.lcr, regex: '44', priority: 3 })
export const lcrEntryDraft = ({ acme }: TestData) => ({
  lcr_route_sid: acme.lcr_route,
  voip_carrier_sid: acme.voip_carrier,
})
export const clientDraft = (testData: TestData) => ({
  username: `desk-${randomUUID()}`,
  account_sid: testData.acme.account,
})
export const msTeamsTenantDraft = (testData: TestData) => ({
  tenant_fqdn: `${randomUUID()}.example.com`,
  account_sid: testData.acme.account,
  service_provider_sid: testData.providers.north,
})
export const sipGatewayDraft = (voip_carrier_sid: string) => ({
  voip_carrier_sid,
  ipv4: `198.18.${randomInt(256)}.${randomInt(256)}`,
  inbound: 1,
  outbound: 0,
})
export const userDraft = () => {
  const { name } = newName()
  return { name, email: `${name.replace(' ', '.')}@example.com`, initial_password: 'Correct-horse-2' }
}
export const acmeUserDraft = (testData: TestData) => ({ ...userDraft(), account_sid: testData.acme.account })
export const sharedByNorth = (testData: TestData) => testData.shared.north
export const limitDraft = () => ({ category: 'voice_call_session', quantity: 5 })
export const addressDraft = () => ({ ipv4: `203.0.113.${randomInt(250)}` })

export const newHookDraft = () => ({ url: 'https://example.com/hook' })
export const credentialDraft = ({ acme, providers }: TestData) => ({
  vendor: 'soniox',
  api_key: 'key',
  account_sid: acme.account,
  service_provider_sid: providers.north,
})
export const customVoiceDraft = ({ acme }: TestData) => ({
  ...newName(),
  model: 'm',
  speech_credential_sid: acme.speech_credential,
})
