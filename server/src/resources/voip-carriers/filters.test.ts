import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { createApiClient, type ApiClient } from '../../../test/api-client'

describe('filters of carriers and phone numbers', () => {
  let backend: Backend
  let adminClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend()
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
  })
  afterAll(() => backend.close())

  const providerPath = (path: string) => `/ServiceProviders/${backend.testData.providers.north}${path}`

  it('select only the shared carriers with account_sid=shared', async () => {
    const { body } = await adminClient('GET', providerPath('/VoipCarriers?account_sid=shared&page=1'))
    expect(body).toMatchObject({ total: 1, data: [{ voip_carrier_sid: backend.testData.shared.north.voip_carrier }] })
  })

  it('select the phone numbers of one carrier', async () => {
    const { acme } = backend.testData
    const { body } = await adminClient(
      'GET',
      providerPath(`/PhoneNumbers?voip_carrier_sid=${acme.voip_carrier}&page=1`),
    )
    expect(body).toMatchObject({ total: 1, data: [{ phone_number_sid: acme.phone_number }] })
  })
})
