import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from './backend'
import { databaseEngines } from './databases'

describe.each(databaseEngines)('the filters of the account list on %s', (databaseEngine) => {
  let backend: Backend

  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    const { accounts } = backend.services
    await accounts.update(backend.testData.accounts.bolt, { is_active: 0, plan_type: 'free' })
  })
  afterAll(() => backend.close())

  const listNames = async (query: string) => {
    const response = await backend.app.inject({
      url: `/v1/ServiceProviders/${backend.testData.providers.north}/Accounts?page=1&${query}`,
      headers: { authorization: `Bearer ${backend.testData.keys.north}` },
    })
    const { data, total } = response.json<{ data: { name: string }[]; total: number }>()
    expect(total).toBe(data.length)
    return data.map(({ name }) => name)
  }

  it.each([
    ['is_active=0', ['bolt']],
    ['is_active=1', ['acme']],
    ['plan_type=free', ['bolt']],
    ['plan_type=free&is_active=1', []],
    ['plan_type=&is_active=', ['acme', 'bolt']],
    ['is_active=perhaps', ['acme', 'bolt']],
    ["plan_type=free'--", []],
  ])('with %s list the accounts %j', async (query, expected) => {
    expect(await listNames(query)).toEqual(expected)
  })
})
