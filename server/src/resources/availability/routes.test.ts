import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { apiClient, type ApiClient } from '../../../test/speak'

describe.each(engines)('availability of names (%s)', (engine) => {
  let backend: Backend
  let acme: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ engine })
    acme = apiClient(backend.app, backend.world.keys.acme)
    await backend.services.users.update(backend.world.users.bolt, { phone: '16175550100' })
  })
  afterAll(() => backend.close())

  it.each([
    ['subdomain', 'ACME.example.com', false],
    ['subdomain', 'acme', true],
    ['email', 'Bolt@example.com', false],
    ['email', 'nobody@example.com', true],
    ['phone', '16175550100', false],
    ['phone', '16175550199', true],
  ])('%s %s: %s', async (type, value, available) => {
    expect(await acme('GET', `/Availability?type=${type}&value=${value}`)).toMatchObject({
      status: 200,
      body: { available },
    })
  })

  it.each([
    ['type=realm&value=x', 'invalid type: realm'],
    ['value=x', 'invalid type: '],
    ['type=email', 'missing value'],
    ['type=email&value=', 'missing value'],
  ])('needs a known type and a value: %s', async (request, msg) => {
    expect(await acme('GET', `/Availability?${request}`)).toMatchObject({ status: 400, body: { msg } })
  })
})
