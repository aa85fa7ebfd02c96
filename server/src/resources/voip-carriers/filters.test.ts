import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { apiClient, type ApiClient } from '../../../test/speak'

describe('carrier filters', () => {
  let backend: Backend
  let admin: ApiClient
  beforeAll(async () => {
    backend = await startBackend()
    admin = apiClient(backend.app, backend.world.keys.admin)
  })
  afterAll(() => backend.close())

  const below = (path: string) => `/ServiceProviders/${backend.world.providers.north}${path}`

  it('return only shared carriers for account_sid=shared', async () => {
    const { body } = await admin('GET', below('/VoipCarriers?account_sid=shared&page=1'))
    expect(body).toMatchObject({ total: 1, data: [{ voip_carrier_sid: backend.world.shared.north.voip_carrier }] })
  })

  it('return the phone numbers of one carrier', async () => {
    const { acme } = backend.world
    const { body } = await admin('GET', below(`/PhoneNumbers?voip_carrier_sid=${acme.voip_carrier}&page=1`))
    expect(body).toMatchObject({ total: 1, data: [{ phone_number_sid: acme.phone_number }] })
  })
})
