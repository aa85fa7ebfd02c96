import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { apiClient } from '../../../test/speak'
import type { ActorName } from '../../../test/world'

describe.each(engines)('the list of users (%s)', (engine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ engine })
    const { services, world } = backend
    await services.users.update(world.users.bolt, { is_active: 0, force_change: 1 })
  })
  afterAll(() => backend.close())

  const send = async (actorName: ActorName, query = '') =>
    (await apiClient(backend.app, backend.world.keys[actorName])('GET', `/Users${query}`)).body

  it('contains name and owner, without null values', async () => {
    const { world } = backend
    const rows = await send('admin')
    const row = (name: string) => rows.find((item: { name: string }) => item.name === name)
    const north = { service_provider_sid: world.providers.north, service_provider_name: 'Northwind' }
    const flags = { force_change: 0, is_active: 1 }
    expect(row('admin')).toEqual({
      user_sid: world.users.admin,
      name: 'admin',
      email: 'admin@example.com',
      scope: 'admin',
      ...flags,
    })
    expect(row('north')).toEqual({
      user_sid: world.users.north,
      name: 'north',
      email: 'north@example.com',
      scope: 'service_provider',
      ...flags,
      ...north,
    })
    expect(row('bolt')).toEqual({
      user_sid: world.users.bolt,
      name: 'bolt',
      email: 'bolt@example.com',
      scope: 'account',
      force_change: 1,
      is_active: 0,
      account_sid: world.accounts.bolt,
      account_name: 'bolt',
      ...north,
    })
  })

  it("contains the account's current provider, whatever the user's row contains", async () => {
    await backend.services.users.update(backend.world.users.corp, { service_provider_sid: null })
    expect(await send('south')).toContainEqual(
      expect.objectContaining({ name: 'corp', scope: 'account', service_provider_name: 'Southgate' }),
    )
  })

  const names = async (actorName: ActorName, query: string) =>
    (await send(actorName, query)).data
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => name in backend.world.users || name === 'viewer')

  it.each<[who: ActorName, query: string, expected: string]>([
    ['admin', 'scope=admin', 'admin'],
    ['admin', 'scope=service_provider', 'north south'],
    ['admin', 'scope=account', 'acme bolt corp viewer'],
    ['north', 'scope=admin', ''],
    ['north', 'scope=', 'acme bolt north viewer'],
    ['north', 'scope=perhaps', ''],
    ['north', 'name=OL', 'bolt'],
    ['north', 'name=bolt@example', 'bolt'],
    ['north', 'filter=bol', 'bolt'],
    ['north', 'name=%25', ''],
    ['north', 'sort=-name', 'viewer north bolt acme'],
    ['north', 'sort=email', 'acme bolt north viewer'],
    ['north', 'sort=-account_name&scope=account', 'bolt acme viewer'],
    ['acme', 'scope=account', 'acme viewer'],
  ])('for %s with ?%s', async (actorName, query, expected) => {
    const result = await names(actorName, `?page=1&page_size=1000&${query}`)
    const sorted = query.startsWith('sort') ? result : result.sort()
    // Users of one account are sorted by SID.
    expect(query.includes('account_name') ? [sorted[0], ...sorted.slice(1).sort()] : sorted).toEqual(
      expected.split(' ').filter(Boolean),
    )
  })

  it("contains an account's users, or a provider's users with all administrators", async () => {
    const { accounts, providers } = backend.world
    expect((await names('admin', `?page=1&account_sid=${accounts.acme}`)).sort()).toEqual(['acme', 'viewer'])
    expect(await names('north', `?page=1&account_sid=${accounts.corp}`)).toEqual([])
    const ofSouth = `?page=1&service_provider_sid=${providers.south}`
    expect((await names('admin', ofSouth)).sort()).toEqual(['admin', 'corp', 'south'])
    expect(await names('north', ofSouth)).toEqual([])
  })

  it.each(['admin', 'service_provider', 'account'])('is sorted by scope: %s', async (scope) => {
    const rows = (await send('admin', '?page=1&page_size=1000&sort=scope')).data.map(
      (row: { scope: string }) => row.scope,
    )
    expect(rows).toEqual([...rows].sort())
    expect(rows).toContain(scope)
  })
})
