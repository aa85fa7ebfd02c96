import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { databaseEngines } from '../../test/databases'
import { createApiClient, type ApiClient } from '../../test/api-client'
import { createSecretEncryption } from '../secrets/encryption'

describe.each(databaseEngines)('values that were encrypted with another secret (%s)', (databaseEngine) => {
  const foreignEncryption = createSecretEncryption('another secret')
  const bucket = { vendor: 'aws_s3', name: 'calls', region: 'eu-west-1', access_key_id: 'A', secret_access_key: 'S' }
  let backend: Backend
  let adminClient: ApiClient
  beforeEach(async () => {
    backend = await startBackend({ databaseEngine })
    adminClient = createApiClient(backend.app, backend.testData.keys.admin)
  })
  afterEach(() => backend.close())

  it.each([
    ['accounts', 'bucket_credential', JSON.stringify(bucket), bucket, [null, {}, { vendor: 'none' }, { vendor: '' }]],
    ['applications', 'env_vars', '{"TOKEN":"x"}', { TOKEN: 'y' }, [null, {}]],
    ['clients', 'password', 'secret', 'another', [null, '']],
  ] as const)(
    'in %s are returned as absent, and survive an update: %s',
    async (table, field, originalText, newValue, emptyValues) => {
      const { account, application, client } = backend.testData.acme
      const sid = { accounts: account, applications: application, clients: client }[table]
      const path = `/${table[0]?.toUpperCase()}${table.slice(1)}/${sid}`
      const encrypted = foreignEncryption.encrypt(originalText)
      await backend.services[table].update(sid, { [field]: encrypted })
      const { body } = await adminClient('GET', path)
      expect(body).toMatchObject({ [field]: null, unreadable: [field] })

      for (const emptyValue of emptyValues)
        expect(await adminClient('PUT', path, { [field]: emptyValue })).toMatchObject({ status: 204 })
      expect(await adminClient('PUT', path, { [field]: newValue })).toMatchObject({
        status: 422,
        body: { msg: expect.stringContaining('ENCRYPTION_SECRET'), field },
      })
      const rows = await backend.database.db.selectFrom(table).selectAll().execute()
      expect(rows.map((row) => row[field as keyof typeof row])).toContain(encrypted)

      // An emptied value can be set again.
      await backend.services[table].update(sid, { [field]: null })
      expect(await adminClient('PUT', path, { [field]: newValue })).toMatchObject({ status: 204 })
      expect((await adminClient('GET', path)).body).not.toHaveProperty('unreadable')
    },
  )

  it('are logged once', async () => {
    const { account } = backend.testData.acme
    await backend.services.accounts.update(account, { bucket_credential: foreignEncryption.encrypt('{}') })
    for (const path of ['/Accounts', `/Accounts/${account}`, '/Accounts']) await adminClient('GET', path)
    const lines = backend
      .log()
      .split('\n')
      .filter((line) => line.includes('ENCRYPTION_SECRET'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('cannot be decrypted')
  })
})
