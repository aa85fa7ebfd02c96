import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient } from '../../../test/api-client'
import type { ActorName } from '../../../test/test-data'

describe.each(databaseEngines)('the list of users (%s)', (databaseEngine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    const { services, testData } = backend
    await services.users.update(testData.users.bolt, { is_active: 0, force_change: 1 })
  })
  afterAll(() => backend.close())

  const listUsers = async (actorName: ActorName, query = '') =>
    (await createApiClient(backend.app, backend.testData.keys[actorName])('GET', `/Users${query}`)).body

  it('contains the name and owner of each user, without null values', async () => {
    const { testData } = backend
    const rows = await listUsers('admin')
    const rowOf = (name: string) => rows.find((user: { name: string }) => user.name === name)
    const northProvider = { service_provider_sid: testData.providers.north, service_provider_name: 'Northwind' }
    const flags = { force_change: 0, is_active: 1 }
    expect(rowOf('admin')).toEqual({
      user_sid: testData.users.admin,
      name: 'admin',
      email: 'admin@example.com',
      scope: 'admin',
      ...flags,
    })
    expect(rowOf('north')).toEqual({
      user_sid: testData.users.north,
      name: 'north',
      email: 'north@example.com',
      scope: 'service_provider',
      ...flags,
      ...northProvider,
    })
    expect(rowOf('bolt')).toEqual({
      user_sid: testData.users.bolt,
      name: 'bolt',
      email: 'bolt@example.com',
      scope: 'account',
      force_change: 1,
      is_active: 0,
      account_sid: testData.accounts.bolt,
      account_name: 'bolt',
      ...northProvider,
    })
  })

  it("contains the provider of the account, even if the user's row has none", async () => {
    await backend.services.users.update(backend.testData.users.corp, { service_provider_sid: null })
    expect(await listUsers('south')).toContainEqual(
      expect.objectContaining({ name: 'corp', scope: 'account', service_provider_name: 'Southgate' }),
    )
  })

  const listNames = async (actorName: ActorName, query: string) =>
    (await listUsers(actorName, query)).data
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => name in backend.testData.users || name === 'viewer')

  it.each<[actorName: ActorName, query: string, expectedNames: string]>([
    ['admin', 'scope=admin', 'admin'],
    ['admin', 'scope=service_provider', 'north south'],
    ['admin', 'scope=account', 'acme bolt corp viewer'],
    ['north', 'scope=admin', ''],
    ['north', 'scope=', 'acme bolt north viewer'],
    ['north', 'scope=perhaps', ''],
    ['admin', 'scope=constructor', ''],
    ['admin', 'scope=toString', ''],
    ['north', 'name=OL', 'bolt'],
    ['north', 'name=bolt@example', 'bolt'],
    ['north', 'filter=bol', 'bolt'],
    ['north', 'name=%25', ''],
    ['north', 'sort=-name', 'viewer north bolt acme'],
    ['north', 'sort=email', 'acme bolt north viewer'],
    ['north', 'sort=-account_name&scope=account', 'bolt acme viewer'],
    ['acme', 'scope=account', 'acme viewer'],
  ])('contains the expected users for %s with ?%s', async (actorName, query, expectedNames) => {
    const listedNames = await listNames(actorName, `?page=1&page_size=1000&${query}`)
    const comparableNames = query.startsWith('sort') ? listedNames : listedNames.sort()
    // Users of one account are sorted by SID.
    expect(
      query.includes('account_name') ? [comparableNames[0], ...comparableNames.slice(1).sort()] : comparableNames,
    ).toEqual(expectedNames.split(' ').filter(Boolean))
  })

  it('contains the users of an account, or the users of a provider and all administrators', async () => {
    const { accounts, providers } = backend.testData
    expect((await listNames('admin', `?page=1&account_sid=${accounts.acme}`)).sort()).toEqual(['acme', 'viewer'])
    expect(await listNames('north', `?page=1&account_sid=${accounts.corp}`)).toEqual([])
    const southQuery = `?page=1&service_provider_sid=${providers.south}`
    expect((await listNames('admin', southQuery)).sort()).toEqual(['admin', 'corp', 'south'])
    expect(await listNames('north', southQuery)).toEqual([])
  })

  it.each(['admin', 'service_provider', 'account'])('is sorted by scope, with %s', async (scope) => {
    const rows = (await listUsers('admin', '?page=1&page_size=1000&sort=scope')).data.map(
      (row: { scope: string }) => row.scope,
    )
    expect(rows).toEqual([...rows].sort())
    expect(rows).toContain(scope)
  })
})
