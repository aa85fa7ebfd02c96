import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SavedView } from '@trunkline/contract/shapes/saved-view'
import { createApiClient, createClients, fetchToken, type ApiClient } from '../../../test/api-client'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { password } from '../../../test/test-data'
import { maxViewsPerUser } from './routes'

describe.each(databaseEngines)('saved views (%s)', (databaseEngine) => {
  let backend: Backend
  let clients: Awaited<ReturnType<typeof createClients>>
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    clients = await createClients(backend)
  })
  afterAll(() => backend.close())

  const save = async (client: ApiClient, view: object) => {
    const { status, body } = await client('POST', '/SavedViews', view)
    expect(status).toBe(201)
    return (body as { sid: string }).sid
  }
  const listViews = async (client: ApiClient, query = '') =>
    (await client('GET', `/SavedViews${query}`)).body as SavedView[]
  const countRows = async (user_sid: string) =>
    (
      await backend.database.db
        .selectFrom('trunkline_saved_views')
        .select('name')
        .where('user_sid', '=', user_sid)
        .execute()
    ).length

  it('are advertised', async () => {
    expect((await clients.users.acme('GET', '/Abilities')).body).toMatchObject({ savedViews: true })
  })

  it('are listed by name, of one list or of all, and only for their user', async () => {
    const { north, admin } = clients.users
    const sid = await save(north, { list: 'recent-calls', name: ' Failed ', query: 'status=failed&columns=from,to' })
    await save(north, { list: 'recent-calls', name: 'Answered', query: 'status=answered' })
    await save(north, { list: 'accounts', name: 'Trials', query: 'plan_type=trial' })
    expect(await listViews(north, '?list=recent-calls')).toEqual([
      { saved_view_sid: expect.any(String), list: 'recent-calls', name: 'Answered', query: 'status=answered' },
      { saved_view_sid: sid, list: 'recent-calls', name: 'Failed', query: 'status=failed&columns=from,to' },
    ])
    expect((await listViews(north)).map(({ name }) => name)).toEqual(['Answered', 'Failed', 'Trials'])
    for (const client of [clients.users.south, clients.users.acme, admin]) {
      expect(await listViews(client)).toEqual([])
      const path = `/SavedViews/${sid}`
      expect(await client('PUT', path, { name: 'x' })).toMatchObject({ status: 404 })
      expect(await client('DELETE', path)).toMatchObject({ status: 404 })
    }
    expect(await listViews(north)).toHaveLength(3)
  })

  it('are renamed, replaced and deleted', async () => {
    const { bolt } = clients.users
    const sid = await save(bolt, { list: 'alerts', name: 'Mine', query: 'date=7' })
    const path = `/SavedViews/${sid}`
    expect(await bolt('PUT', path, { name: 'Renamed' })).toMatchObject({ status: 204 })
    expect(await listViews(bolt)).toEqual([{ saved_view_sid: sid, list: 'alerts', name: 'Renamed', query: 'date=7' }])
    expect(await bolt('PUT', path, { query: '', name: 'RENAMED' })).toMatchObject({ status: 204 })
    expect(await listViews(bolt)).toEqual([{ saved_view_sid: sid, list: 'alerts', name: 'RENAMED', query: '' }])
    expect(await bolt('DELETE', path)).toMatchObject({ status: 204 })
    expect(await bolt('DELETE', path)).toMatchObject({ status: 404 })
    expect(await listViews(bolt)).toEqual([])
  })

  it('have unique names per list', async () => {
    const { corp } = clients.users
    const duplicate = {
      status: 400,
      body: { msg: 'Another view of this list has this name.', field: 'name' },
    }
    await save(corp, { list: 'users', name: 'Été', query: '' })
    const other = await save(corp, { list: 'users', name: 'Other', query: '' })
    await save(corp, { list: 'clients', name: 'Été', query: '' })
    await save(clients.users.acme, { list: 'users', name: 'Été', query: '' })
    expect(await corp('POST', '/SavedViews', { list: 'users', name: 'ÉTÉ ', query: 'a=b' })).toMatchObject(duplicate)
    expect(await corp('PUT', `/SavedViews/${other}`, { name: 'été' })).toMatchObject(duplicate)
    const results = await Promise.all(
      [1, 2, 3, 4].map(() => corp('POST', '/SavedViews', { list: 'users', name: 'Parallel', query: '' })),
    )
    expect(results.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400])
  })

  it.each([
    [{ name: 'x', query: '' }, 'list'],
    [{ list: '', name: 'x', query: '' }, 'list'],
    [{ list: '../accounts', name: 'x', query: '' }, 'list'],
    [{ list: 'a'.repeat(65), name: 'x', query: '' }, 'list'],
    [{ list: 'accounts', query: '' }, 'name'],
    [{ list: 'accounts', name: '  ', query: '' }, 'name'],
    [{ list: 'accounts', name: 'x'.repeat(65), query: '' }, 'name'],
    [{ list: 'accounts', name: 'x\0', query: '' }, 'name'],
    [{ list: 'accounts', name: 7, query: '' }, 'name'],
    [{ list: 'accounts', name: 'x' }, 'query'],
    [{ list: 'accounts', name: 'x', query: { sort: 'name' } }, 'query'],
    [{ list: 'accounts', name: 'x', query: 'é'.repeat(2001) }, 'query'],
  ])('are refused if they are %j', async (body, field) => {
    expect(await clients.users.south('POST', '/SavedViews', body)).toMatchObject({ status: 400, body: { field } })
    expect(await listViews(clients.users.south)).toEqual([])
  })

  it('are refused with unknown fields, without changes and with a malformed SID', async () => {
    const { south } = clients.users
    const view = { list: 'accounts', name: 'x', query: '', user_sid: backend.testData.users.north }
    expect(await south('POST', '/SavedViews', view)).toMatchObject({ status: 400 })
    expect(await south('PUT', `/SavedViews/${randomUUID()}`, {})).toMatchObject({ status: 400 })
    expect(await south('PUT', '/SavedViews/x', { name: 'x' })).toMatchObject({ status: 400 })
    expect(await south('GET', '/SavedViews?list=..')).toMatchObject({ status: 400 })
  })

  it('accept a query of the maximum length, in any language', async () => {
    const { south } = clients.users
    const sid = await save(south, { list: 'accounts', name: '長'.repeat(64), query: '長'.repeat(2000) })
    expect(await listViews(south)).toMatchObject([{ name: '長'.repeat(64), query: '長'.repeat(2000) }])
    await south('DELETE', `/SavedViews/${sid}`)
  })

  it('are refused for API keys, which have no user', async () => {
    const refusal = {
      status: 403,
      body: { msg: 'Saved views belong to a user, and an API key has none. Sign in as a user.' },
    }
    const { north } = clients.keys
    expect(await north('GET', '/SavedViews')).toMatchObject(refusal)
    expect(await north('POST', '/SavedViews', { list: 'accounts', name: 'x', query: '' })).toMatchObject(refusal)
    expect(await north('PUT', `/SavedViews/${randomUUID()}`, { name: 'x' })).toMatchObject(refusal)
    expect(await north('DELETE', `/SavedViews/${randomUUID()}`)).toMatchObject(refusal)
  })

  it(`are limited per user, also for parallel requests`, async () => {
    const { south } = clients.users
    const user_sid = backend.testData.users.south
    const rows = Array.from({ length: maxViewsPerUser - 1 }, (_, index) => ({
      saved_view_sid: randomUUID(),
      user_sid,
      list: 'accounts',
      name: `View ${index}`,
      query: '',
    }))
    await backend.database.db.insertInto('trunkline_saved_views').values(rows).execute()
    const results = await Promise.all(
      ['a', 'b', 'c'].map((name) => south('POST', '/SavedViews', { list: 'users', name, query: '' })),
    )
    expect(results.map(({ status }) => status).toSorted()).toEqual([201, 422, 422])
    expect(results.find(({ status }) => status === 422)?.body).toEqual({
      msg: `You have ${maxViewsPerUser} saved views, the maximum. Delete one to save another.`,
    })
    expect(await countRows(user_sid)).toBe(maxViewsPerUser)
  })

  it('are deleted with their user and with the account of the user', async () => {
    const { admin } = clients.users
    const { body: addedAccount } = await admin('POST', '/Accounts', {
      name: 'Leaving',
      service_provider_sid: backend.testData.providers.north,
    })
    const account_sid = (addedAccount as { sid: string }).sid
    const addUser = async (name: string) => {
      const draft = { name, email: `${name}@example.com`, initial_password: password, account_sid }
      const { body } = await admin('POST', '/Users', draft)
      const { user_sid } = body as { user_sid: string }
      const client = createApiClient(backend.app, await fetchToken(backend.app, name))
      await save(client, { list: 'clients', name: 'Mine', query: '' })
      return user_sid
    }
    const [first, second] = [await addUser('leaver-1'), await addUser('leaver-2')]
    expect([await countRows(first), await countRows(second)]).toEqual([1, 1])
    expect(await admin('DELETE', `/Users/${first}`)).toMatchObject({ status: 204 })
    expect([await countRows(first), await countRows(second)]).toEqual([0, 1])
    expect(await admin('DELETE', `/Accounts/${account_sid}`)).toMatchObject({ status: 204 })
    expect(await countRows(second)).toBe(0)
  })
})
