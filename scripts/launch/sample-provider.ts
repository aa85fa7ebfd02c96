import type { ApiClient } from './api'
import { findDefaultProviderSid } from './api'

/** A small but realistic provider of voice services, with invented companies and unassigned numbers. */

const companies = [
  'Alder & Finch Solicitors',
  'Bayside Veterinary Clinic',
  'Bramble Bakery Group',
  'Brightwater Dental',
  'Cardinal Freight',
  'Cedar Hollow Hospital',
  'Clementine Hotels',
  'Copperfield Insurance',
  'Corvid Security',
  'Driftwood Surf Schools',
  'Eastgate Property',
  'Elmstead Water',
  'Fairlight Opticians',
  'Fernley Garden Centres',
  'Foxglove Home Care',
  'Granite Peak Outdoors',
  'Harrow Lane Motors',
  'Heron Airport Parking',
  'Ironbridge Couriers',
  'Juniper Row Pharmacy',
  'Kestrel Taxi',
  'Kingfisher Canal Cruises',
  'Lantern Street Theatre',
  'Larkspur Travel',
  'Maple Court Schools',
  'Marlowe Books',
  'Nimbus Weather Service',
  'Oakhaven Credit Union',
  'Orchard Valley Farms',
  'Pemberton Plumbing',
  'Quayside Restaurants',
  'Redstart Electricity',
  'Rowan Tree Nurseries',
  'Saffron Kitchens',
  'Silverbirch Retirement Homes',
  'Stonecrop Roofing',
  'Thistle & Thyme Catering',
  'Umber Art Supplies',
  'Willowmere Golf Club',
  'Yarrow Health',
]

const departments = ['Front desk', 'Support line', 'Appointments', 'Orders', 'After hours', 'Emergency line']

const areaCodes = ['1212', '1312', '1415', '1617', '1702', '1206', '1305', '1512', '1404', '1503']

/** The short name of a company in domains: 'bayside' for 'Bayside Veterinary Clinic'. */
const getDomainLabel = (company: string) => company.split(/\W/)[0]?.toLowerCase() ?? ''

interface Gateway {
  ipv4: string
  port?: number
  netmask?: number
  inbound: 0 | 1
  outbound: 0 | 1
  protocol?: string
}

const carriers: { draft: Record<string, unknown>; gateways: Gateway[] }[] = [
  {
    draft: { name: 'Atlas Wholesale', e164_leading_plus: 1, tech_prefix: '7715', diversion: '+16175550100' },
    gateways: [
      { ipv4: '198.51.100.16', netmask: 30, inbound: 1, outbound: 0 },
      { ipv4: '198.51.100.24', netmask: 30, inbound: 1, outbound: 0 },
      { ipv4: 'lon.sip.atlas.example', inbound: 0, outbound: 1, protocol: 'tls' },
      { ipv4: 'nyc.sip.atlas.example', inbound: 0, outbound: 1, protocol: 'tls' },
    ],
  },
  {
    draft: { name: 'Bluewater SIP', e164_leading_plus: 1 },
    gateways: [
      { ipv4: '203.0.113.5', inbound: 1, outbound: 1, protocol: 'udp' },
      { ipv4: '203.0.113.6', inbound: 1, outbound: 1, protocol: 'udp' },
    ],
  },
  {
    draft: {
      name: 'Harbour Telecom',
      requires_register: 1,
      register_username: 'meridian-01',
      register_password: 'tide-table-88',
      register_sip_realm: 'reg.harbour.example',
    },
    gateways: [{ ipv4: '192.0.2.40', inbound: 1, outbound: 1, protocol: 'udp' }],
  },
  {
    draft: { name: 'Skylark International', is_active: 0 },
    gateways: [{ ipv4: '192.0.2.90', inbound: 1, outbound: 0 }],
  },
]

const planForIndex = (index: number) => {
  if (index % 9 === 4)
    return { plan_type: 'trial', trial_end_date: new Date(Date.now() + 9 * 86_400_000).toISOString() }
  return { plan_type: index % 7 === 3 ? 'free' : 'paid' }
}

export interface SampleProvider {
  service_provider_sid: string
  /** One account per company, ordered by name. */
  accountSids: string[]
  applicationSids: string[]
  carrierSids: string[]
  numberSids: string[]
  /** A user of the first account. */
  userSid: string
  /** A speech credential that all accounts share. */
  speechCredentialSid: string
}

const addAccounts = async (api: ApiClient, service_provider_sid: string, names: string[]) => {
  const accounts: string[] = []
  for (const [index, name] of names.entries())
    accounts.push(
      await api.add('/Accounts', {
        name,
        service_provider_sid,
        sip_realm: index % 8 === 7 ? null : `${getDomainLabel(name)}.mv.example`,
        is_active: index % 13 === 5 ? 0 : 1,
        record_all_calls: index % 3 === 0 ? 1 : 0,
        record_format: index % 6 === 0 ? 'wav' : 'mp3',
        ...planForIndex(index),
      }),
    )
  return accounts
}

const addApplications = async (api: ApiClient, accounts: string[]) => {
  const applications: { application_sid: string; account_sid: string }[] = []
  for (const [index, account_sid] of accounts.entries()) {
    const company = companies[index] ?? ''
    const hook = (path: string) => ({ url: `https://calls.${getDomainLabel(company)}.example/${path}`, method: 'POST' })
    for (const department of [
      departments[index % departments.length],
      ...(index % 4 === 0 ? [departments[(index + 2) % departments.length]] : []),
    ])
      applications.push({
        account_sid,
        application_sid: await api.add('/Applications', {
          name: `${company.split(/\W/)[0]} ${department?.toLowerCase()}`,
          account_sid,
          call_hook: hook('answer'),
          call_status_hook: hook('status'),
          ...(index % 5 === 0 ? { messaging_hook: hook('message') } : {}),
        }),
      })
  }
  return applications
}

const addCarriers = async (api: ApiClient, service_provider_sid: string, account_sid: string | undefined) => {
  const sids: string[] = []
  for (const { draft, gateways } of carriers) {
    const voip_carrier_sid = await api.add(`/ServiceProviders/${service_provider_sid}/VoipCarriers`, draft)
    for (const gateway of gateways) await api.add('/SipGateways', { voip_carrier_sid, port: 5060, ...gateway })
    sids.push(voip_carrier_sid)
  }
  const accountCarrier = { name: 'Kestrel own trunk', account_sid }
  const voip_carrier_sid = await api.add(`/ServiceProviders/${service_provider_sid}/VoipCarriers`, accountCarrier)
  await api.add('/SipGateways', { voip_carrier_sid, port: 5060, ipv4: '192.0.2.200', inbound: 1, outbound: 1 })
  return [...sids, voip_carrier_sid]
}

/** Fills the default provider of a new installation with sample records, and adds a second provider. */
export const addSampleProvider = async (
  api: ApiClient,
  { accounts: accountCount = 40, numbers: numberCount = 120 } = {},
): Promise<SampleProvider> => {
  const service_provider_sid = await findDefaultProviderSid(api)
  await api.put(`/ServiceProviders/${service_provider_sid}`, {
    name: 'Meridian Voice',
    root_domain: 'mv.example',
  })
  await api.add('/ServiceProviders', { name: 'Saltmarsh Telecom' })
  const [initialAccount] = await api.get<{ account_sid: string }[]>('/Accounts')
  await api.put(`/Accounts/${initialAccount?.account_sid}`, { name: 'Zinnia Florists', sip_realm: 'zinnia.mv.example' })
  await api.add('/Sbcs', { ipv4: '203.0.113.100', port: 5060 })
  await api.add('/Sbcs', { ipv4: '203.0.113.101', port: 5060 })
  const accounts = await addAccounts(api, service_provider_sid, companies.slice(0, accountCount))
  const applications = await addApplications(api, accounts)
  const kestrelAccountSid = accounts[companies.indexOf('Kestrel Taxi')] ?? accounts[0]
  const carrierSids = await addCarriers(api, service_provider_sid, kestrelAccountSid)
  const numbers: string[] = []
  for (let index = 0; index < numberCount; index += 1) {
    const application = applications[(index * 7) % applications.length]
    numbers.push(
      await api.add('/PhoneNumbers', {
        number: `${areaCodes[index % areaCodes.length]}5550${100 + Math.floor(index / areaCodes.length)}`,
        voip_carrier_sid: carrierSids[index % 3],
        account_sid: application?.account_sid,
        application_sid: index % 6 === 5 ? null : application?.application_sid,
      }),
    )
  }
  const { user_sid } = await api.post<{ user_sid: string }>('/Users', {
    name: 'maria.lindqvist',
    email: 'maria.lindqvist@mv.example',
    initial_password: 'Quiet-harbour-1',
    account_sid: accounts[0],
    force_change: 1,
  })
  const speechPath = `/ServiceProviders/${service_provider_sid}/SpeechCredentials`
  await api.add(speechPath, { vendor: 'ibm', use_for_tts: 0, use_for_stt: 0, account_sid: accounts[0] })
  await api.add(speechPath, { vendor: 'soniox', api_key: 'quiet-key', account_sid: accounts[1] })
  const azure = { region: 'westeurope', api_key: 'quiet-key-of-azure', use_custom_tts: 1, custom_tts_endpoint: 'quiet' }
  const speech = await api.add(speechPath, { vendor: 'microsoft', label: 'westeurope', ...azure })
  return {
    service_provider_sid,
    speechCredentialSid: speech,
    userSid: user_sid,
    accountSids: accounts,
    applicationSids: applications.map(({ application_sid }) => application_sid),
    carrierSids,
    numberSids: numbers,
  }
}
