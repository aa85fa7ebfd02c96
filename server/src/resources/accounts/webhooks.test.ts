import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { takeSnapshot, createApiClient, type ApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('webhooks of accounts (%s)', (databaseEngine) => {
  let backend: Backend
  let northClient: ApiClient
  let acmeClient: ApiClient
  let accountPath: string
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    northClient = createApiClient(backend.app, backend.testData.keys.north)
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    accountPath = `/Accounts/${backend.testData.acme.account}`
  })
  afterAll(() => backend.close())

  it('are refused with an invalid URL or an incomplete login, and the error names the field', async () => {
    const initialSnapshot = await takeSnapshot(backend.database)
    const cases: [invalidWebhook: object, error: string, property: string][] = [
      [{ url: 'ftp://example.com' }, 'URL has missing or invalid protocol ftp:', 'url'],
      [{ url: ' https://example.com' }, 'URL contains leading/trailing whitespace', 'url'],
      [{ url: 'https://example.com', username: 'u' }, 'password is required together with username', 'password'],
    ]
    for (const field of ['registration_hook', 'queue_event_hook'])
      for (const [invalidWebhook, urlError, property] of cases) {
        const msg = property === 'url' ? `${field} ${urlError}` : urlError
        const refusal = { status: 400, body: { msg, field: `${field}.${property}` } }
        expect(await acmeClient('PUT', accountPath, { [field]: invalidWebhook })).toMatchObject(refusal)
        expect(await northClient('POST', '/Accounts', { name: 'Refused', [field]: invalidWebhook })).toMatchObject(
          refusal,
        )
      }
    expect(await takeSnapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('may keep a stored invalid URL', async () => {
    await acmeClient('PUT', accountPath, { registration_hook: { url: 'https://example.com/old' } })
    const url = 'sip:old@example.com'
    await backend.database.db
      .updateTable('webhooks')
      .set({ url })
      .where('url', '=', 'https://example.com/old')
      .execute()
    expect(await acmeClient('PUT', accountPath, { registration_hook: { url, method: 'GET' } })).toMatchObject({
      status: 204,
    })
    expect((await acmeClient('GET', accountPath)).body.registration_hook).toMatchObject({ url, method: 'GET' })
    await acmeClient('PUT', accountPath, { registration_hook: null })
  })
})
