import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { engines } from '../../test/engines'
import { apiClient, type ApiClient } from '../../test/speak'
import { secretEncryption } from '../secrets/encryption'

describe.each(engines)('values that were encrypted with another secret (%s)', (engine) => {
  const foreign = secretEncryption('another secret')
  const bucket = { vendor: 'aws_s3', name: 'calls', region: 'eu-west-1', access_key_id: 'A', secret_access_key: 'S' }
  let backend: Backend
  let admin: ApiClient
  beforeEach(async () => {
    backend = await startBackend({ engine })
    admin = apiClient(backend.app, backend.world.keys.admin)
  })
  afterEach(() => {
    vi.restoreAllMocks()
    return backend.close()
  })

  it.each([
    ['accounts', 'bucket_credential', JSON.stringify(bucket), bucket, [null, {}, { vendor: 'none' }, { vendor: '' }]],
    ['applications', 'env_vars', '{"TOKEN":"x"}', { TOKEN: 'y' }, [null, {}]],
    ['clients', 'password', 'secret', 'another', [null, '']],
  ] as const)(
    'in %s are returned as absent, and survive an update: %s',
    async (table, field, text, other, emptyValues) => {
      const { account, application, client } = backend.world.acme
      const sid = { accounts: account, applications: application, clients: client }[table]
      const path = `/${table[0]?.toUpperCase()}${table.slice(1)}/${sid}`
      const sealed = foreign.encrypt(text)
      await backend.services[table].update(sid, { [field]: sealed })
      const { body } = await admin('GET', path)
      expect(body).toMatchObject({ [field]: null, unreadable: [field] })

      for (const none of emptyValues) expect(await admin('PUT', path, { [field]: none })).toMatchObject({ status: 204 })
      expect(await admin('PUT', path, { [field]: other })).toMatchObject({
        status: 422,
        body: { msg: expect.stringContaining('ENCRYPTION_SECRET'), field },
      })
      const rows = await backend.database.db.selectFrom(table).selectAll().execute()
      expect(rows.map((row) => row[field as keyof typeof row])).toContain(sealed)

      // An emptied value can be set again.
      await backend.services[table].update(sid, { [field]: null })
      expect(await admin('PUT', path, { [field]: other })).toMatchObject({ status: 204 })
      expect((await admin('GET', path)).body).not.toHaveProperty('unreadable')
    },
  )

  it('are logged once', async () => {
    const received = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { account } = backend.world.acme
    await backend.services.accounts.update(account, { bucket_credential: foreign.encrypt('{}') })
    for (const path of ['/Accounts', `/Accounts/${account}`, '/Accounts']) await admin('GET', path)
    const lines = received.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('ENCRYPTION_SECRET'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('cannot be decrypted')
  })
})
