import type { ApiClient } from '../../scripts/launch/api'
import { addUser } from '../../scripts/launch/users'
import type { TestServer } from '../../scripts/launch/server'

const hook = { url: 'https://calls.example.com/answer' }
const twoDigits = (number: number) => String(number).padStart(2, '0')

export interface NumberedRecords {
  service_provider_sid: string
  accounts: string[]
}

/**
 * Adds a provider with thirty records of every kind that has a list, named 'item 01' to 'item 30' or similar. For most
 * kinds, 27 belong to the account 'item 01' and the rest to 'item 02'. The provider's name sorts before all others, so
 * the console starts with it.
 */
export const addNumberedRecords = async (server: TestServer, api: ApiClient): Promise<NumberedRecords> => {
  const service_provider_sid = await api.add('/ServiceProviders', { name: 'Aa', ms_teams_fqdn: 'teams.example.com' })
  const accounts: string[] = []
  for (let number = 1; number <= 30; number += 1)
    accounts.push(
      await api.add('/Accounts', {
        name: `item ${twoDigits(number)}`,
        service_provider_sid,
        sip_realm: `a${twoDigits((number * 7) % 31)}.example.com`,
        is_active: number % 2,
        plan_type: number % 3 ? 'paid' : 'trial',
      }),
    )
  for (let number = 1; number <= 30; number += 1) {
    const account_sid = accounts[number <= 27 ? 0 : 1]
    const is_active = number % 2
    const name = `item ${twoDigits(number)}`
    const hooks = { call_hook: hook, call_status_hook: hook }
    const application_sid = await api.add('/Applications', { name, account_sid, ...hooks })
    const carrier = { name, service_provider_sid, account_sid, is_active }
    const voip_carrier_sid = await api.add('/VoipCarriers', carrier)
    await api.add('/PhoneNumbers', {
      number: `1212555${1000 + number}`,
      account_sid,
      application_sid,
      voip_carrier_sid,
    })
    await api.add('/Clients', { username: `item-${twoDigits(number)}`, password: 'Quiet-1', account_sid, is_active })
    const tenant_fqdn = `item-${twoDigits(number)}.example.com`
    // an account can have only one LCR
    await api.add('/Lcrs', { name, account_sid: accounts[number - 1], is_active })
    await api.add('/MicrosoftTeamsTenants', { tenant_fqdn, service_provider_sid, account_sid, application_sid })
    await api.add(`/Accounts/${account_sid}/SpeechCredentials`, {
      vendor: `custom:${name}`,
      label: `label ${twoDigits((number * 7) % 31)}`,
      custom_stt_url: 'wss://speech.example.com/',
    })
    await addUser(server, `item-${twoDigits(number)}`, {
      service_provider_sid,
      account_sid,
      mustChangePassword: number % 2 === 0,
    })
  }
  return { service_provider_sid, accounts }
}
