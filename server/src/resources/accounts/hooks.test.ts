import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { snapshot, apiClient, type ApiClient } from '../../../test/speak'

describe.each(engines)('webhooks of accounts (%s)', (engine) => {
  let backend: Backend
  let north: ApiClient
  let acme: ApiClient
  let path: string
  beforeAll(async () => {
    backend = await startBackend({ engine })
    north = apiClient(backend.app, backend.world.keys.north)
    acme = apiClient(backend.app, backend.world.keys.acme)
    path = `/Accounts/${backend.world.acme.account}`
  })
  afterAll(() => backend.close())

  it('must have a callable URL, and the error names the field', async () => {
    const initialSnapshot = await snapshot(backend.database)
    const refusals: [object, string, string][] = [
      [{ url: 'ftp://example.com' }, 'URL has missing or invalid protocol ftp:', 'url'],
      [{ url: ' https://example.com' }, 'URL contains leading/trailing whitespace', 'url'],
      [{ url: 'https://example.com', username: 'u' }, 'password is required together with username', 'password'],
    ]
    for (const name of ['registration_hook', 'queue_event_hook'])
      for (const [hook, words, part] of refusals) {
        const msg = part === 'url' ? `${name} ${words}` : words
        const refusal = { status: 400, body: { msg, field: `${name}.${part}` } }
        expect(await acme('PUT', path, { [name]: hook })).toMatchObject(refusal)
        expect(await north('POST', '/Accounts', { name: 'Refused', [name]: hook })).toMatchObject(refusal)
      }
    expect(await snapshot(backend.database)).toEqual(initialSnapshot)
  })

  it('may repeat a stored invalid URL', async () => {
    await acme('PUT', path, { registration_hook: { url: 'https://example.com/old' } })
    const url = 'sip:old@example.com'
    await backend.database.db
      .updateTable('webhooks')
      .set({ url })
      .where('url', '=', 'https://example.com/old')
      .execute()
    expect(await acme('PUT', path, { registration_hook: { url, method: 'GET' } })).toMatchObject({ status: 204 })
    expect((await acme('GET', path)).body.registration_hook).toMatchObject({ url, method: 'GET' })
    await acme('PUT', path, { registration_hook: null })
  })
})
