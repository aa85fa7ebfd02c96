import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('SBC addresses (%s)', (databaseEngine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
  })
  afterAll(() => backend.close())

  it('are those of the provider, or of the platform if the provider has none', async () => {
    const { providers, keys } = backend.testData
    const clientOf = (name: 'admin' | 'north' | 'south' | 'acme' | 'corp') => createApiClient(backend.app, keys[name])
    const createAddress = async (body: object) => (await clientOf('admin')('POST', '/Sbcs', body)).body.sid as string
    const readAddresses = async (name: Parameters<typeof clientOf>[0], query = '') =>
      ((await clientOf(name)('GET', `/Sbcs${query}`)).body as { ipv4: string }[]).map(({ ipv4 }) => ipv4)
    expect(await readAddresses('acme')).toEqual([])
    const platformAddressSid = await createAddress({ ipv4: '192.0.2.1', tls_port: 5061 })
    await createAddress({ ipv4: '192.0.2.2', port: 5080, service_provider_sid: providers.north })
    expect((await clientOf('south')('GET', '/Sbcs')).body).toEqual([
      {
        sbc_address_sid: platformAddressSid,
        ipv4: '192.0.2.1',
        port: 5060,
        tls_port: 5061,
        wss_port: null,
        service_provider_sid: null,
        last_updated: null,
      },
    ])
    for (const name of ['north', 'acme'] as const) expect(await readAddresses(name)).toEqual(['192.0.2.2'])
    // Only administrators may read another provider's addresses.
    expect(await readAddresses('corp', `?service_provider_sid=${providers.north}`)).toEqual(['192.0.2.1'])
    expect(await readAddresses('admin', `?service_provider_sid=${providers.north}`)).toEqual(['192.0.2.2'])
    expect(await readAddresses('admin', `?service_provider_sid=${providers.south}`)).toEqual(['192.0.2.1'])
    expect(await clientOf('admin')('POST', '/Sbcs', { port: 1 })).toMatchObject({
      status: 400,
      body: { msg: 'missing field ipv4', field: 'ipv4' },
    })
    expect(
      await clientOf('admin')('POST', '/Sbcs', { ipv4: 'x', service_provider_sid: platformAddressSid }),
    ).toMatchObject({
      status: 400,
      body: { msg: 'unknown service_provider_sid' },
    })
    expect(await clientOf('admin')('DELETE', `/Sbcs/${platformAddressSid}`)).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(await clientOf('admin')('DELETE', `/Sbcs/${platformAddressSid}`)).toMatchObject({
      status: 404,
      body: 'Not Found',
    })
  })
})
