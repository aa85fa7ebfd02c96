import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { useBackend } from './render'
import { startV1Server } from './v1-server'

const { render, requestAs, backend, testData } = useBackend()
let v1Server: Awaited<ReturnType<typeof startV1Server>> | undefined

afterEach(() => {
  v1Server?.close()
  v1Server = undefined
})

const collections = [
  ['accounts', 'Accounts', 'account_sid'],
  ['applications', 'Applications', 'application_sid'],
  ['carriers', 'VoipCarriers', 'voip_carrier_sid'],
  ['clients', 'Clients', 'client_sid'],
  ['phone-numbers', 'PhoneNumbers', 'phone_number_sid'],
  ['speech-services', 'SpeechCredentials', 'speech_credential_sid'],
  ['ms-teams-tenants', 'MicrosoftTeamsTenants', 'ms_teams_tenant_sid'],
  ['least-cost-routing', 'Lcrs', 'lcr_sid'],
  ['users', 'Users', 'user_sid'],
] as const
const columns = [
  'name',
  'number',
  'username',
  'label',
  'vendor',
  'email',
  'scope',
  'provider',
  'description',
  'is_active',
  'registration_hook',
  'call_hook',
  'tenant_fqdn',
  'last_used',
  'bucket_credential',
  'env_vars',
  'app_json',
  'register_status',
  'use_for_tts',
  'use_for_stt',
]

it.each(
  collections.flatMap(([path, collection, key]) =>
    (['missing', 'null'] as const).map((value) => [path, value, collection, key] as const),
  ),
)('shows the records of %s if all their columns are %s', async (path, value, collection, key) => {
  await requestAs('admin', 'PUT', `/ServiceProviders/${testData().providers.north}`, {
    ms_teams_fqdn: 'teams.example.com',
  })
  // the form of an account also reads its limits and keys, so the account must exist
  const sid = path === 'accounts' ? testData().accounts.acme : '00000000-0000-4000-8000-000000000009'
  const row = {
    ...(value === 'null' ? Object.fromEntries(columns.map((name) => [name, null])) : {}),
    service_provider_sid: testData().providers.north,
    account_sid: testData().accounts.acme,
    // the registration status is shown only then
    ...(path === 'carriers' ? { requires_register: 1 } : {}),
    [key]: sid,
  }
  const otherRow = { ...row, [key]: '00000000-0000-4000-8000-000000000008' }
  v1Server = await startV1Server(backend().app, ({ pathname }) => {
    if (pathname.endsWith(`/${collection}`)) return [row, otherRow]
    if (pathname.endsWith('/SipGateways')) return [{ sip_gateway_sid: sid }]
    if (pathname.endsWith('/SmppGateways')) return [{ smpp_gateway_sid: sid, outbound: 1 }]
    if (pathname.endsWith('/LcrRoutes')) return [{ lcr_route_sid: sid, priority: 0 }]
    return pathname.endsWith(`/${collection}/${sid}`) ? row : undefined
  })
  localStorage.setItem('activeServiceProvider', testData().providers.north)
  const options = {
    as: 'admin',
    features: { apiBaseUrl: v1Server.apiBaseUrl },
  } as const
  await render(`/internal/${path}`, options)
  await screen.findByText('Total: 2 records')
  expect(document.querySelectorAll('tbody tr')).toHaveLength(2)
  expect(document.querySelector('tbody')?.textContent).not.toMatch(/NaN|undefined|null/)
  cleanup()
  await render(`/internal/${path}/${sid}/edit`, options)
  expect(await screen.findByRole('button', { name: 'Save' })).toBeTruthy()
})
