import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

describe.each(engines)('SIP clients (%s)', (engine) => {
  let backend: Backend
  let acme: ApiClient
  let north: ApiClient
  let admin: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ engine })
    acme = apiClient(backend.app, backend.world.keys.acme)
    north = apiClient(backend.app, backend.world.keys.north)
    admin = apiClient(backend.app, backend.world.keys.admin)
  })
  afterAll(() => backend.close())

  let count = 0
  const create = async (overrides: object = {}): Promise<string> =>
    (await acme('POST', '/Clients', { username: `phone-${count++}`, ...overrides })).body.sid
  const stored = (client_sid: string) =>
    backend.database.db.selectFrom('clients').selectAll().where('client_sid', '=', client_sid).executeTakeFirstOrThrow()

  it('are created with defaults and an encrypted, masked password', async () => {
    const sid = await create({ username: 'reception', password: 'secret-7' })
    const { body } = await acme('GET', `/Clients/${sid}`)
    expect(body).toEqual({
      client_sid: sid,
      account_sid: backend.world.acme.account,
      account_name: 'acme',
      is_active: 1,
      username: 'reception',
      password: 'sXXXXXXX',
      allow_direct_app_calling: 1,
      allow_direct_queue_calling: 1,
      allow_direct_user_calling: 1,
    })
    const { password } = await stored(sid)
    expect(password).not.toContain('secret-7')
    expect(backend.services.encryption.decrypt(password!)).toEqual({ ok: true, text: 'secret-7' })
    const list = (await north('GET', '/Clients')).body as { client_sid: string; password: string }[]
    expect(list.find((row) => row.client_sid === sid)).toMatchObject({ password: 'sXXXXXXX' })
  })

  it('without a password return null', async () => {
    const sid = await create()
    expect((await acme('GET', `/Clients/${sid}`)).body.password).toBeNull()
  })

  it('change only the given fields, and keep a password that is sent back masked', async () => {
    const sid = await create({ password: 'secret-7' })
    const initialValue = await stored(sid)
    expect(
      await acme('PUT', `/Clients/${sid}`, { is_active: false, allow_direct_user_calling: 0, password: 'sXXXXXXX' }),
    ).toMatchObject({ status: 204 })
    expect(await stored(sid)).toEqual({ ...initialValue, is_active: 0, allow_direct_user_calling: 0 })
    await acme('PUT', `/Clients/${sid}`, { password: 'another-8' })
    expect((await acme('GET', `/Clients/${sid}`)).body.password).toBe('aXXXXXXXX')
  })

  it('require a unique username per account, also for parallel requests', async () => {
    const taken = { status: 400, body: { msg: "the client's username already exists", field: 'username' } }
    await create({ username: 'lobby' })
    const other = await create({ username: 'garage' })
    const initialSnapshot = await snapshot(backend.database)
    expect(await acme('POST', '/Clients', { username: 'lobby' })).toMatchObject(taken)
    expect(await acme('PUT', `/Clients/${other}`, { username: 'lobby' })).toMatchObject(taken)
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    expect(
      await north('POST', '/Clients', { username: 'lobby', account_sid: backend.world.bolt.account }),
    ).toMatchObject({
      status: 201,
    })
    const rush = await Promise.all(Array.from({ length: 8 }, () => acme('POST', '/Clients', { username: 'rush' })))
    expect(rush.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  it("can be moved only within the actor's tenant", async () => {
    const sid = await create()
    const initialSnapshot = await snapshot(backend.database)
    const { bolt, corp } = backend.world
    expect(await acme('PUT', `/Clients/${sid}`, { account_sid: bolt.account })).toMatchObject({
      status: 403,
      body: { msg: 'insufficient permissions' },
    })
    expect(await north('PUT', `/Clients/${sid}`, { account_sid: corp.account })).toMatchObject({ status: 403 })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
    expect(await north('PUT', `/Clients/${sid}`, { account_sid: bolt.account })).toMatchObject({ status: 204 })
    expect((await stored(sid)).account_sid).toBe(bolt.account)
  })

  it.each<[string, object, string, string]>([
    ['no username', { username: undefined }, 'missing field username', 'username'],
    ['a blank username', { username: ' ' }, 'missing field username', 'username'],
    ['blanks in the username', { username: 'a b' }, 'username cannot contain whitespace', 'username'],
    ['a long username', { username: 'x'.repeat(65) }, 'username must be at most 64 characters', 'username'],
    ['a long password', { password: 'x'.repeat(257) }, 'password must be at most 256 characters', 'password'],
    ['a flag that is a word', { is_active: 'yes' }, 'is_active must be a boolean or 0 or 1', 'is_active'],
    ['an unknown field', { realm: 'x' }, 'unknown field realm', 'realm'],
  ])('are refused with %s', async (_, invalid, msg, field) => {
    const initialSnapshot = await snapshot(backend.database)
    expect(await acme('POST', '/Clients', { username: 'fine', ...invalid })).toMatchObject({
      status: 400,
      body: { msg, field },
    })
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('without account or of an unknown account are refused', async () => {
    expect(await admin('POST', '/Clients', { username: 'a' })).toMatchObject({
      status: 400,
      body: { msg: 'missing field account_sid', field: 'account_sid' },
    })
    const account_sid = 'abcdef01-0000-4000-8000-000000000000'
    expect(await admin('POST', '/Clients', { username: 'a', account_sid })).toMatchObject({
      status: 400,
      body: { field: 'account_sid' },
    })
  })

  it('are found by name and account, page by page', async () => {
    const { bolt } = backend.world
    expect((await north('GET', `/Clients?account_sid=${bolt.account}&name=DESK`)).body).toMatchObject([
      { username: 'bolt-desk' },
    ])
    const { body } = await admin('GET', '/Clients?page=1&page_size=2&sort=-username')
    expect(body).toMatchObject({ page: 1, page_size: 2, data: { length: 2 } })
  })
})
