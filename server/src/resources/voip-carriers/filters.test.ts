import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { createApiClient, type ApiClient } from '../../../test/api-client'

describe('filters of carriers and phone numbers', () => {
  let backend: Backend
  let adminClient: ApiClient
  let boltClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend()
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    boltClient = createApiClient(backend.app, backend.testData.keys.bolt)
  })
  afterAll(() => backend.close())

  const providerPath = (path: string) => `/ServiceProviders/${backend.testData.providers.north}${path}`

  it('select only the shared carriers with account_sid=shared', async () => {
    const { body } = await adminClient('GET', providerPath('/VoipCarriers?account_sid=shared&page=1'))
    expect(body).toMatchObject({ total: 1, data: [{ voip_carrier_sid: backend.testData.shared.north.voip_carrier }] })
  })

  it('select the phone numbers of one carrier or one application', async () => {
    const { acme } = backend.testData
    for (const path of [providerPath('/PhoneNumbers'), '/PhoneNumbers'])
      for (const filter of [`voip_carrier_sid=${acme.voip_carrier}`, `application_sid=${acme.application}`]) {
        const { body } = await adminClient('GET', `${path}?${filter}&page=1`)
        expect(body, `${path}?${filter}`).toMatchObject({ total: 1, data: [{ phone_number_sid: acme.phone_number }] })
      }
    expect((await boltClient('GET', `/PhoneNumbers?application_sid=${acme.application}&page=1`)).body).toMatchObject({
      total: 0,
    })
  })
})
