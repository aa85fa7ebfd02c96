import { screen } from '@testing-library/react'
import { accountSchema } from '@trunkline/contract/shapes/account'
import { applicationSchema } from '@trunkline/contract/shapes/application'
import { clientSchema } from '@trunkline/contract/shapes/client'
import { lcrSchema } from '@trunkline/contract/shapes/lcr'
import { msTeamsTenantSchema } from '@trunkline/contract/shapes/ms-teams-tenant'
import { phoneNumberSchema } from '@trunkline/contract/shapes/phone-number'
import { speechCredentialSchema } from '@trunkline/contract/shapes/speech-credential'
import { userSchema } from '@trunkline/contract/shapes/user'
import { voipCarrierSchema } from '@trunkline/contract/shapes/voip-carrier'
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
  ['accounts', 'Accounts', 'account_sid', accountSchema],
  ['applications', 'Applications', 'application_sid', applicationSchema],
  ['carriers', 'VoipCarriers', 'voip_carrier_sid', voipCarrierSchema],
  ['clients', 'Clients', 'client_sid', clientSchema],
  ['phone-numbers', 'PhoneNumbers', 'phone_number_sid', phoneNumberSchema],
  ['speech-services', 'SpeechCredentials', 'speech_credential_sid', speechCredentialSchema],
  ['ms-teams-tenants', 'MicrosoftTeamsTenants', 'ms_teams_tenant_sid', msTeamsTenantSchema],
  ['least-cost-routing', 'Lcrs', 'lcr_sid', lcrSchema],
  ['users', 'Users', 'user_sid', userSchema],
] as const

const malformedValues = [
  ['objects', { code: 7, url: { code: 7 }, status: { code: 7 }, reason: { code: 7 } }],
  ['lists', [{ code: 7 }]],
  ['numbers', 7],
] as const

it.each(
  collections.flatMap(([path, collection, key, schema]) =>
    malformedValues.map(
      ([description, value]) => [path, description, value, collection, key, Object.keys(schema.shape)] as const,
    ),
  ),
)('lists the records of %s if all their columns are %s', async (path, _, value, collection, key, columns) => {
  await requestAs('admin', 'PUT', `/ServiceProviders/${testData().providers.north}`, {
    ms_teams_fqdn: 'teams.example.com',
  })
  const createRow = (sid: string) => ({
    ...Object.fromEntries(columns.map((name) => [name, value])),
    service_provider_sid: testData().providers.north,
    account_sid: testData().accounts.acme,
    [key]: sid,
  })
  const rows = [createRow('00000000-0000-4000-8000-000000000008'), createRow('00000000-0000-4000-8000-000000000009')]
  v1Server = await startV1Server(backend().app, ({ pathname }) =>
    pathname.endsWith(`/${collection}`) ? rows : undefined,
  )
  localStorage.setItem('activeServiceProvider', testData().providers.north)
  await render(`/internal/${path}?text=7`, { as: 'admin', features: { apiBaseUrl: v1Server.apiBaseUrl } })
  await screen.findByText('Total: 2 records')
  expect(document.querySelectorAll('tbody tr')).toHaveLength(2)
  const text = document.querySelector('tbody')?.textContent
  expect(text).toContain('7')
  expect(text).not.toMatch(/NaN|undefined|null|\[object/)
})
