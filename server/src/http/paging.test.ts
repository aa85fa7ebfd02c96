import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { databaseEngines } from '../../test/databases'
import { createApiClient, type ApiClient } from '../../test/api-client'

const pagedLists = [
  { path: '/Applications', key: 'name' },
  { path: '/VoipCarriers', key: 'name' },
  { path: '/PhoneNumbers', key: 'number' },
  { path: '/Accounts', key: 'name' },
  { path: '/ServiceProviders', key: 'name' },
  { path: '/Users', key: 'name' },
]

describe.each(databaseEngines)('lists (%s)', (databaseEngine) => {
  let backend: Backend
  let northClient: ApiClient
  let adminClient: ApiClient
  let acme: string
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    northClient = createApiClient(backend.app, backend.testData.keys.north)
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
    acme = backend.testData.acme.account
    for (const number of ['7001', '7002', '7010', '70_1', '70%1', '70!1', "70'1"])
      await backend.services.phoneNumbers.insert({ phone_number_sid: randomUUID(), number, account_sid: acme })
  })
  afterAll(() => backend.close())

  describe.each(pagedLists)('$path', ({ path, key }) => {
    it('are arrays without `page`, and envelopes with it', async () => {
      const all = await adminClient('GET', path)
      expect(Array.isArray(all.body)).toBe(true)
      expect((await adminClient('GET', `${path}?page_size=1`)).body).toHaveLength(all.body.length)
      const { body } = await adminClient('GET', `${path}?page=1&page_size=2`)
      expect(body).toMatchObject({ total: all.body.length, page: 1, page_size: 2, data: { length: 2 } })
      expect(Object.keys(body).sort()).toEqual(['data', 'page', 'page_size', 'total'])
    })

    it('return every row exactly once over all pages, in order', async () => {
      const total = (await adminClient('GET', path)).body.length
      const receivedNames: string[] = []
      for (let page = 1; page <= Math.ceil(total / 2); page++)
        receivedNames.push(
          ...(await adminClient('GET', `${path}?page=${page}&page_size=2`)).body.data.map(
            (row: Record<string, string>) => row[key],
          ),
        )
      expect(receivedNames).toHaveLength(total)
      const { body } = await adminClient('GET', `${path}?page=1&page_size=1000&sort=-${key}`)
      expect(body.data.map((row: Record<string, string>) => row[key])).toEqual([...receivedNames].reverse())
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
    ])('accept ?%s', async (query, envelope) => {
      const response = await adminClient('GET', `${path}?${query}`)
      expect(response).toMatchObject({ status: 200, body: envelope })
      expect(response.body.total).toBe((await adminClient('GET', path)).body.length)
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
      expect(await adminClient('GET', `${path}?${query}`)).toMatchObject({ status: 400, body: { msg, field } })
    })
  })

  it('count only filtered rows in the reach of the actor', async () => {
    const { body } = await northClient('GET', '/PhoneNumbers?page=1&page_size=3&filter=70')
    expect(body).toMatchObject({ total: 7, page_size: 3, data: { length: 3 } })
    expect((await northClient('GET', '/PhoneNumbers?page=1')).body.total).toBe(9)
    expect(
      (await createApiClient(backend.app, backend.testData.keys.south)('GET', '/PhoneNumbers?page=1')).body.total,
    ).toBe(1)
  })

  it.each([
    ['%', ['70%1']],
    ['_', ['70_1']],
    ['!', ['70!1']],
    ["'", ["70'1"]],
    ['700', ['7001', '7002']],
    ['7_0', []],
    ["' or '1'='1", []],
  ])('match the filter %s literally', async (filter, numbers) => {
    const { body } = await northClient('GET', `/PhoneNumbers?filter=${encodeURIComponent(filter)}`)
    expect(body.map(({ number }: { number: string }) => number).sort()).toEqual(numbers.sort())
    expect((await northClient('GET', `/VoipCarriers?name=${encodeURIComponent(filter)}`)).body).toEqual([])
  })

  it('find a name by a substring, ignoring case', async () => {
    for (const substring of ['ACME tr', 'acme TRUNK', 'e t']) {
      const { body } = await northClient('GET', `/VoipCarriers?name=${encodeURIComponent(substring)}&page=1`)
      expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['acme trunk'])
    }
    expect((await northClient('GET', '/Applications?name=bolt')).body).toMatchObject([{ name: 'bolt app' }])
  })

  it('filter by account and provider within the reach of the actor', async () => {
    const { corp, bolt } = backend.testData
    expect((await northClient('GET', `/PhoneNumbers?account_sid=${bolt.account}`)).body).toHaveLength(1)
    expect((await northClient('GET', `/PhoneNumbers?account_sid=${corp.account}`)).body).toEqual([])
    expect(
      (await northClient('GET', `/Accounts?service_provider_sid=${backend.testData.providers.south}`)).body,
    ).toEqual([])
    expect(
      (await adminClient('GET', `/Accounts?service_provider_sid=${backend.testData.providers.south}`)).body,
    ).toHaveLength(1)
    expect(
      (await adminClient('GET', `/PhoneNumbers?service_provider_sid=${backend.testData.providers.south}`)).body,
    ).toHaveLength(1)
  })

  it('sort by the names of referenced records, in both directions', async () => {
    const accountNames = async (sort: string) =>
      (await adminClient('GET', `/PhoneNumbers?page=1&filter=1555&sort=${sort}`)).body.data.map(
        (row: Record<string, string>) => row.account_name,
      )
    expect(await accountNames('account_name')).toEqual(['acme', 'bolt', 'corp'])
    expect(await accountNames('-account_name')).toEqual(['corp', 'bolt', 'acme'])
  })

  it('count again after a change', async () => {
    const total = async () => (await northClient('GET', '/PhoneNumbers?page=1')).body.total
    const initialTotal = await total()
    const { body } = await northClient('POST', '/PhoneNumbers', { number: '7099', account_sid: acme })
    expect(await total()).toBe(initialTotal + 1)
    await northClient('DELETE', `/PhoneNumbers/${body.sid}`)
    expect(await total()).toBe(initialTotal)
  })

  // A platform's own MySQL database may lack the index. SQLite files are always ours.
  it.each(databaseEngine === 'mysql' ? [true, false] : [true])(
    'page through a large table (index: %s)',
    async (hasIndex) => {
      const largeBackend = await startBackend({ databaseEngine })
      const { db } = largeBackend.database
      if (!hasIndex) await sql`drop index number_idx on phone_numbers`.execute(db)
      const requestAsNorth = createApiClient(largeBackend.app, largeBackend.testData.keys.north)
      const { acme: acmeRecords, corp, providers } = largeBackend.testData
      const numbers = Array.from({ length: 2100 }, (_, index) => `9${String(index).padStart(5, '0')}`)
      // A number can belong to the provider in three ways. Numbers of another provider are mixed in.
      const owners = [
        { account_sid: acmeRecords.account },
        { service_provider_sid: providers.north },
        { voip_carrier_sid: largeBackend.testData.shared.north.voip_carrier },
      ]
      const rows = numbers.map((number, index) => ({ phone_number_sid: randomUUID(), number, ...owners[index % 3] }))
      const foreignRows = numbers
        .filter((_, index) => index % 10 === 0)
        .map((number) => ({ phone_number_sid: randomUUID(), number, account_sid: corp.account }))
      for (const batch of [rows.slice(0, 700), rows.slice(700, 1400), rows.slice(1400), foreignRows])
        for (const remainder of [0, 1, 2, 3])
          await db
            .insertInto('phone_numbers')
            .values(batch.filter((_, index) => index % 4 === remainder))
            .execute()
      const listNumbers = async (query: string) =>
        (await requestAsNorth('GET', `/PhoneNumbers?filter=9&page_size=25&${query}`)).body.data.map(
          (row: Record<string, string>) => row.number,
        )
      expect(await listNumbers('page=1')).toEqual(numbers.slice(0, 25))
      expect(await listNumbers('page=42')).toEqual(numbers.slice(1025, 1050))
      expect(await listNumbers('page=43')).toEqual(numbers.slice(1050, 1075))
      expect(await listNumbers('page=84')).toEqual(numbers.slice(2075))
      expect(await listNumbers('page=84&sort=-number')).toEqual(numbers.slice(0, 25).reverse())
      // Pages next to earlier ones, in both directions, and from a bookmark whose row has moved.
      for (const page of [44, 43, 45, 41, 2])
        expect(await listNumbers(`page=${page}`)).toEqual(numbers.slice((page - 1) * 25, page * 25))
      expect(await listNumbers('page=42&sort=-number')).toEqual(numbers.slice(1050, 1075).reverse())
      await requestAsNorth('DELETE', `/PhoneNumbers/${rows[30]?.phone_number_sid}`)
      expect(await listNumbers('page=43')).toEqual(numbers.slice(1051, 1076))
      await largeBackend.close()
    },
  )
})
