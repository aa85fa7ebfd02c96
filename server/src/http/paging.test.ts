import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { engines } from '../../test/engines'
import { apiClient, type ApiClient } from '../../test/speak'

const paged = [
  { path: '/Applications', key: 'name' },
  { path: '/VoipCarriers', key: 'name' },
  { path: '/PhoneNumbers', key: 'number' },
  { path: '/Accounts', key: 'name' },
  { path: '/ServiceProviders', key: 'name' },
  { path: '/Users', key: 'name' },
]

describe.each(engines)('lists (%s)', (engine) => {
  let backend: Backend
  let north: ApiClient
  let admin: ApiClient
  let acme: string
  beforeAll(async () => {
    backend = await startBackend({ engine })
    north = apiClient(backend.app, backend.world.keys.north)
    admin = apiClient(backend.app, backend.world.keys.admin)
    acme = backend.world.acme.account
    for (const number of ['7001', '7002', '7010', '70_1', '70%1', '70!1', "70'1"])
      await backend.services.phoneNumbers.insert({ phone_number_sid: randomUUID(), number, account_sid: acme })
  })
  afterAll(() => backend.close())

  describe.each(paged)('$path', ({ path, key }) => {
    it('are arrays without `page`, and envelopes with it', async () => {
      const all = await admin('GET', path)
      expect(Array.isArray(all.body)).toBe(true)
      expect((await admin('GET', `${path}?page_size=1`)).body).toHaveLength(all.body.length)
      const { body } = await admin('GET', `${path}?page=1&page_size=2`)
      expect(body).toMatchObject({ total: all.body.length, page: 1, page_size: 2, data: { length: 2 } })
      expect(Object.keys(body).sort()).toEqual(['data', 'page', 'page_size', 'total'])
    })

    it('return every row exactly once over all pages, in order', async () => {
      const all = (await admin('GET', path)).body.length
      const received: string[] = []
      for (let page = 1; page <= Math.ceil(all / 2); page++)
        received.push(
          ...(await admin('GET', `${path}?page=${page}&page_size=2`)).body.data.map(
            (row: Record<string, string>) => row[key],
          ),
        )
      expect(received).toHaveLength(all)
      const { body } = await admin('GET', `${path}?page=1&page_size=1000&sort=-${key}`)
      expect(body.data.map((row: Record<string, string>) => row[key])).toEqual([...received].reverse())
    })

    it.each([
      ['page=0', { page: 1, page_size: null }],
      ['page=-7', { page: 1 }],
      ['page=', { page: 1 }],
      ['page=1', { page: 1, page_size: null }],
      ['page=99&page_size=25', { page: 99, page_size: 25, data: [] }],
      ['page=9007199254740991&page_size=1000', { page_size: 1000, data: [] }],
      ['page=1&page_size=1000', { page_size: 1000 }],
      ['page=1&sort=no_such_column', { page: 1 }],
      ['page=1&sort=-hashed_password', { page: 1 }],
    ])('answer ?%s', async (query, envelope) => {
      const reply = await admin('GET', `${path}?${query}`)
      expect(reply).toMatchObject({ status: 200, body: envelope })
      expect(reply.body.total).toBe((await admin('GET', path)).body.length)
    })

    it.each([
      ['page=x', 'page must be a number', 'page'],
      ['page=1.5', 'page must be a whole number', 'page'],
      ['page=1&page=2', 'page must be a number', 'page'],
      ['page=1&page_size=x', 'page_size must be a number', 'page_size'],
      ['page=1&page_size=null', 'page_size must be a number', 'page_size'],
      ['page=1&page_size=0', 'page_size must be at least 1', 'page_size'],
      ['page=1&page_size=-5', 'page_size must be at least 1', 'page_size'],
      ['page=1&page_size=100000', 'page_size must be at most 1000', 'page_size'],
      ['name=a&name=b', 'name must be a string', 'name'],
      ['sort=name;drop', 'sort must be the name of a column, with a leading - for descending', 'sort'],
    ])('refuse ?%s', async (query, msg, field) => {
      expect(await admin('GET', `${path}?${query}`)).toMatchObject({ status: 400, body: { msg, field } })
    })
  })

  it('count only filtered rows in the reach of the actor', async () => {
    const { body } = await north('GET', '/PhoneNumbers?page=1&page_size=3&filter=70')
    expect(body).toMatchObject({ total: 7, page_size: 3, data: { length: 3 } })
    expect((await north('GET', '/PhoneNumbers?page=1')).body.total).toBe(9)
    expect((await apiClient(backend.app, backend.world.keys.south)('GET', '/PhoneNumbers?page=1')).body.total).toBe(1)
  })

  it.each([
    ['%', ['70%1']],
    ['_', ['70_1']],
    ['!', ['70!1']],
    ["'", ["70'1"]],
    ['700', ['7001', '7002']],
    ['7_0', []],
    ["' or '1'='1", []],
  ])('take the filter %s literally', async (filter, numbers) => {
    const { body } = await north('GET', `/PhoneNumbers?filter=${encodeURIComponent(filter)}`)
    expect(body.map(({ number }: { number: string }) => number).sort()).toEqual(numbers.sort())
    expect((await north('GET', `/VoipCarriers?name=${encodeURIComponent(filter)}`)).body).toEqual([])
  })

  it('find a name by a substring, ignoring case', async () => {
    for (const part of ['ACME tr', 'acme TRUNK', 'e t']) {
      const { body } = await north('GET', `/VoipCarriers?name=${encodeURIComponent(part)}&page=1`)
      expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['acme trunk'])
    }
    expect((await north('GET', '/Applications?name=bolt')).body).toMatchObject([{ name: 'bolt app' }])
  })

  it('filter by account and provider within the reach of the actor', async () => {
    const { corp, bolt } = backend.world
    expect((await north('GET', `/PhoneNumbers?account_sid=${bolt.account}`)).body).toHaveLength(1)
    expect((await north('GET', `/PhoneNumbers?account_sid=${corp.account}`)).body).toEqual([])
    expect((await north('GET', `/Accounts?service_provider_sid=${backend.world.providers.south}`)).body).toEqual([])
    expect((await admin('GET', `/Accounts?service_provider_sid=${backend.world.providers.south}`)).body).toHaveLength(1)
    expect(
      (await admin('GET', `/PhoneNumbers?service_provider_sid=${backend.world.providers.south}`)).body,
    ).toHaveLength(1)
  })

  it('sort by the names of referenced records, in both directions', async () => {
    const names = async (sort: string) =>
      (await admin('GET', `/PhoneNumbers?page=1&filter=1555&sort=${sort}`)).body.data.map(
        (row: Record<string, string>) => row.account_name,
      )
    expect(await names('account_name')).toEqual(['acme', 'bolt', 'corp'])
    expect(await names('-account_name')).toEqual(['corp', 'bolt', 'acme'])
  })

  it('count again after a change', async () => {
    const total = async () => (await north('GET', '/PhoneNumbers?page=1')).body.total
    const initialValue = await total()
    const { body } = await north('POST', '/PhoneNumbers', { number: '7099', account_sid: acme })
    expect(await total()).toBe(initialValue + 1)
    await north('DELETE', `/PhoneNumbers/${body.sid}`)
    expect(await total()).toBe(initialValue)
  })

  // A platform's own MySQL database may lack the index. SQLite files are always ours.
  it.each(engine === 'mysql' ? [true, false] : [true])('page through a large table (index: %s)', async (index) => {
    const large = await startBackend({ engine })
    const { db } = large.database
    if (!index) await sql`drop index number_idx on phone_numbers`.execute(db)
    const ask = apiClient(large.app, large.world.keys.north)
    const { acme: acmeRecords, corp, providers } = large.world
    const numbers = Array.from({ length: 2100 }, (_, index) => `9${String(index).padStart(5, '0')}`)
    // Every way in which a number can belong to the provider, mixed with numbers of another provider.
    const owners = [
      { account_sid: acmeRecords.account },
      { service_provider_sid: providers.north },
      { voip_carrier_sid: large.world.shared.north.voip_carrier },
    ]
    const rows = numbers.map((number, index) => ({ phone_number_sid: randomUUID(), number, ...owners[index % 3] }))
    const foreign = numbers
      .filter((_, index) => index % 10 === 0)
      .map((number) => ({ phone_number_sid: randomUUID(), number, account_sid: corp.account }))
    for (const row of [rows.slice(0, 700), rows.slice(700, 1400), rows.slice(1400), foreign])
      for (const kind of [0, 1, 2, 3])
        await db
          .insertInto('phone_numbers')
          .values(row.filter((_, index) => index % 4 === kind))
          .execute()
    const shown = async (query: string) =>
      (await ask('GET', `/PhoneNumbers?filter=9&page_size=25&${query}`)).body.data.map(
        (row: Record<string, string>) => row.number,
      )
    expect(await shown('page=1')).toEqual(numbers.slice(0, 25))
    expect(await shown('page=42')).toEqual(numbers.slice(1025, 1050))
    expect(await shown('page=43')).toEqual(numbers.slice(1050, 1075))
    expect(await shown('page=84')).toEqual(numbers.slice(2075))
    expect(await shown('page=84&sort=-number')).toEqual(numbers.slice(0, 25).reverse())
    // Pages next to earlier ones, in both directions, and from a bookmark whose row has moved.
    for (const page of [44, 43, 45, 41, 2])
      expect(await shown(`page=${page}`)).toEqual(numbers.slice((page - 1) * 25, page * 25))
    expect(await shown('page=42&sort=-number')).toEqual(numbers.slice(1050, 1075).reverse())
    await ask('DELETE', `/PhoneNumbers/${rows[30]?.phone_number_sid}`)
    expect(await shown('page=43')).toEqual(numbers.slice(1051, 1076))
    await large.close()
  })
})
