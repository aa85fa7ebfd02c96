import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from './backend'
import { engines } from './engines'

describe.each(engines)('the filters of the account list on %s', (engine) => {
  let backend: Backend

  beforeAll(async () => {
    backend = await startBackend({ engine })
    const { accounts } = backend.services
    await accounts.update(backend.world.accounts.bolt, { is_active: 0, plan_type: 'free' })
  })
  afterAll(() => backend.close())

  const names = async (query: string) => {
    const response = await backend.app.inject({
      url: `/v1/ServiceProviders/${backend.world.providers.north}/Accounts?page=1&${query}`,
      headers: { authorization: `Bearer ${backend.world.keys.north}` },
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
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })
})
