import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('SIP clients (%s)', (databaseEngine) => {
  let backend: Backend
  let acmeClient: ApiClient
  let northClient: ApiClient
  let adminClient: ApiClient
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    northClient = createApiClient(backend.app, backend.testData.keys.north)
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
  })
  afterAll(() => backend.close())

  let clientNumber = 0
  const createClient = async (overrides: object = {}): Promise<string> =>
    (await acmeClient('POST', '/Clients', { username: `phone-${clientNumber++}`, ...overrides })).body.sid
  const readRow = (client_sid: string) =>
    backend.database.db.selectFrom('clients').selectAll().where('client_sid', '=', client_sid).executeTakeFirstOrThrow()

  it('are created with defaults and an encrypted, masked password', async () => {
    const sid = await createClient({ username: 'reception', password: 'secret-7' })
    const { body } = await acmeClient('GET', `/Clients/${sid}`)
    expect(body).toEqual({
      client_sid: sid,
      account_sid: backend.testData.acme.account,
      account_name: 'acme',
      is_active: 1,
      username: 'reception',
      password: 'sXXXXXXX',
      allow_direct_app_calling: 1,
      allow_direct_queue_calling: 1,
      allow_direct_user_calling: 1,
    })
    const { password } = await readRow(sid)
    expect(password).not.toContain('secret-7')
    expect(backend.services.encryption.decrypt(password!)).toEqual({ ok: true, text: 'secret-7' })
    const list = (await northClient('GET', '/Clients')).body as { client_sid: string; password: string }[]
    expect(list.find((row) => row.client_sid === sid)).toMatchObject({ password: 'sXXXXXXX' })
  })

  it('return null as their password if they have none', async () => {
    const sid = await createClient()
    expect((await acmeClient('GET', `/Clients/${sid}`)).body.password).toBeNull()
  })

  it('change only the fields of the body, and keep a password that is sent back masked', async () => {
    const sid = await createClient({ password: 'secret-7' })
    const initialRow = await readRow(sid)
    expect(
      await acmeClient('PUT', `/Clients/${sid}`, {
        is_active: false,
        allow_direct_user_calling: 0,
        password: 'sXXXXXXX',
      }),
    ).toMatchObject({ status: 204 })
    expect(await readRow(sid)).toEqual({ ...initialRow, is_active: 0, allow_direct_user_calling: 0 })
    await acmeClient('PUT', `/Clients/${sid}`, { password: 'another-8' })
    expect((await acmeClient('GET', `/Clients/${sid}`)).body.password).toBe('aXXXXXXXX')
  })

  it('require a unique username per account, also for parallel requests', async () => {
    const duplicateRefusal = { status: 400, body: { msg: "the client's username already exists", field: 'username' } }
    await createClient({ username: 'lobby' })
    const garageSid = await createClient({ username: 'garage' })
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await acmeClient('POST', '/Clients', { username: 'lobby' })).toMatchObject(duplicateRefusal)
    expect(await acmeClient('PUT', `/Clients/${garageSid}`, { username: 'lobby' })).toMatchObject(duplicateRefusal)
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(
      await northClient('POST', '/Clients', { username: 'lobby', account_sid: backend.testData.bolt.account }),
    ).toMatchObject({
      status: 201,
    })
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => acmeClient('POST', '/Clients', { username: 'parallel' })),
    )
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  it("can be moved only within the actor's tenant", async () => {
    const sid = await createClient()
    const initialSnapshot = await takeSnapshot(backend.database)
    const { bolt, corp } = backend.testData
    expect(await acmeClient('PUT', `/Clients/${sid}`, { account_sid: bolt.account })).toMatchObject({
      status: 403,
      body: { msg: 'insufficient permissions' },
    })
    expect(await northClient('PUT', `/Clients/${sid}`, { account_sid: corp.account })).toMatchObject({ status: 403 })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
    expect(await northClient('PUT', `/Clients/${sid}`, { account_sid: bolt.account })).toMatchObject({ status: 204 })
    expect((await readRow(sid)).account_sid).toBe(bolt.account)
  })

  it.each<[string, object, string, string]>([
    ['no username', { username: undefined }, 'missing field username', 'username'],
    ['a blank username', { username: ' ' }, 'missing field username', 'username'],
    ['whitespace in the username', { username: 'a b' }, 'username cannot contain whitespace', 'username'],
    ['a long username', { username: 'x'.repeat(65) }, 'username must be at most 64 characters', 'username'],
    ['a long password', { password: 'x'.repeat(257) }, 'password must be at most 256 characters', 'password'],
    ['a flag that is a string', { is_active: 'yes' }, 'is_active must be a boolean or 0 or 1', 'is_active'],
    ['an unknown field', { realm: 'x' }, 'unknown field realm', 'realm'],
  ])('are refused with %s', async (_, overrides, msg, field) => {
    const initialSnapshot = await takeSnapshot(backend.database)
    expect(await acmeClient('POST', '/Clients', { username: 'fine', ...overrides })).toMatchObject({
      status: 400,
      body: { msg, field },
    })
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('are refused without an account or with an unknown one', async () => {
    expect(await adminClient('POST', '/Clients', { username: 'a' })).toMatchObject({
      status: 400,
      body: { msg: 'missing field account_sid', field: 'account_sid' },
    })
    const account_sid = 'abcdef01-0000-4000-8000-000000000000'
    expect(await adminClient('POST', '/Clients', { username: 'a', account_sid })).toMatchObject({
      status: 400,
      body: { field: 'account_sid' },
    })
  })

  it('are listed by name, account and page', async () => {
    const { bolt } = backend.testData
    expect((await northClient('GET', `/Clients?account_sid=${bolt.account}&name=DESK`)).body).toMatchObject([
      { username: 'bolt-desk' },
    ])
    const { body } = await adminClient('GET', '/Clients?page=1&page_size=2&sort=-username')
    expect(body).toMatchObject({ page: 1, page_size: 2, data: { length: 2 } })
  })

  it('have their call permissions read for more usernames than one statement can hold', async () => {
    const { account } = backend.testData.acme
    await createClient({ username: 'first-phone', allow_direct_queue_calling: 0 })
    await createClient({ username: 'last-phone', allow_direct_app_calling: 0 })
    const unknownUsernames = Array.from({ length: 70_000 }, (_, index) => `unknown-${index}`)
    const permissions = await backend.services.clients.callPermissionsOf(account, [
      'first-phone',
      ...unknownUsernames,
      'last-phone',
    ])
    expect(Object.fromEntries(permissions)).toEqual({
      'first-phone': {
        allow_direct_app_calling: true,
        allow_direct_queue_calling: false,
        allow_direct_user_calling: true,
      },
      'last-phone': {
        allow_direct_app_calling: false,
        allow_direct_queue_calling: true,
        allow_direct_user_calling: true,
      },
    })
  })
})
