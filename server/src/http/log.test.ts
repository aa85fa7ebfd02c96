import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { engines } from '../../test/engines'
import { snapshot, apiClient, tokenFor } from '../../test/speak'
import { password } from '../../test/world'

describe.each(engines)('the log (%s)', (engine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ engine, config: { logLevel: 'trace' } })
  })
  afterAll(() => backend.close())

  const lines = () =>
    backend
      .log()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { reqId?: string; req?: { url: string }; err?: object; level: number })

  it('is JSON, with one line per request', async () => {
    await apiClient(backend.app)('GET', '/PredefinedCarriers?secret=1')
    await apiClient(backend.app)('GET', '/Accounts')
    const requests = lines().filter(({ req }) => req)
    expect(requests.map(({ req }) => req!.url)).toEqual(['/v1/PredefinedCarriers', '/v1/Accounts'])
    expect(new Set(requests.map(({ reqId }) => reqId)).size).toBe(2)
    for (const { reqId } of lines()) expect(reqId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('contains no secret of a request', async () => {
    const { app, world } = backend
    const token = await tokenFor(app, 'acme')
    const anonymous = apiClient(app)
    const acme = apiClient(app, token)
    await anonymous('POST', '/login', { username: 'acme', password: 'wrong-Secret-1' })
    await anonymous('POST', '/login', `{"username":"acme","password":"broken-Secret-2`, {
      'content-type': 'application/json',
    })
    await anonymous('GET', `/Accounts?access_token=${token}`)
    await anonymous('PUT', `/Accounts/${world.acme.account}`, { access_token: world.keys.acme, name: '' })
    await acme('PUT', `/Accounts/${world.acme.account}`, { webhook_secret: 'wh_secret_Secret3' })
    await acme('PUT', `/Accounts/${world.acme.account}`, {
      registration_hook: { url: 'https://example.com', username: 'u', password: 'hook-Secret-4' },
      bucket_credential: {
        vendor: 'aws_s3',
        name: 'b',
        region: 'r',
        access_key_id: 'k',
        secret_access_key: 'bucket-Secret-5',
      },
    })
    await acme('PUT', `/VoipCarriers/${world.acme.voip_carrier}`, { register_password: 'trunk-Secret-6' })
    await acme('POST', '/change-password', { old_password: password, new_password: 'short-7' })
    const created = await acme('POST', '/ApiKeys', { account_sid: world.acme.account })
    // Server errors are logged completely.
    await backend.database.db.schema.dropTable('google_custom_voices').execute()
    await backend.database.db.schema.dropTable('clients').execute()
    const key = apiClient(app, created.body.token)
    expect(await key('DELETE', `/Accounts/${world.acme.account}`)).toMatchObject({ status: 500 })
    const log = backend.log()
    expect(log).toMatch(/no such table|doesn't exist/)
    for (const secret of [password, token, world.keys.acme, created.body.token, 'Secret', 'short-7', 'test jwt secret'])
      expect(log).not.toContain(secret)
  })

  it('does not reveal a server error to the client', async () => {
    const initialSnapshot = await snapshot({ db: backend.database.db }).catch(() => undefined)
    expect(initialSnapshot).toBeUndefined()
    const reply = await apiClient(backend.app, backend.world.keys.admin)(
      'DELETE',
      `/Accounts/${backend.world.bolt.account}`,
    )
    expect(reply).toMatchObject({ status: 500, body: { msg: 'Something went wrong, please try again.' } })
    expect(lines().some(({ level, err }) => level === 50 && err !== undefined)).toBe(true)
  })
})
