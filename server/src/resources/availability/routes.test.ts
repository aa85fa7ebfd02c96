import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('availability of names (%s)', (databaseEngine) => {
  let backend: Backend
  let acmeClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    await backend.services.users.update(backend.testData.users.bolt, { phone: '16175550100' })
  })
  afterAll(() => backend.close())

  it.each([
    ['subdomain', 'ACME.example.com', false],
    ['subdomain', 'acme', true],
    ['email', 'Bolt@example.com', false],
    ['email', 'nobody@example.com', true],
    ['phone', '16175550100', false],
    ['phone', '16175550199', true],
  ])('of the %s %s is %s', async (type, value, available) => {
    expect(await acmeClient('GET', `/Availability?type=${type}&value=${value}`)).toMatchObject({
      status: 200,
      body: { available },
    })
  })

  it.each([
    ['type=realm&value=x', 'invalid type: realm'],
    ['value=x', 'invalid type: '],
    ['type=email', 'missing value'],
    ['type=email&value=', 'missing value'],
  ])('requires a known type and a value: %s', async (query, msg) => {
    expect(await acmeClient('GET', `/Availability?${query}`)).toMatchObject({ status: 400, body: { msg } })
  })
})
