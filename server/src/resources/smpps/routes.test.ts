import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient } from '../../../test/api-client'

describe.each(databaseEngines)('SMPP addresses (%s)', (databaseEngine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
  })
  afterAll(() => backend.close())

  const clientOf = (name: 'admin' | 'north' | 'south' | 'acme' | 'corp') =>
    createApiClient(backend.app, backend.testData.keys[name])

  it('are those of the platform, or of the provider in the query', async () => {
    const { providers } = backend.testData
    const providerQuery = (sid: string) => `?service_provider_sid=${sid}`
    const createAddress = async (body: object) => (await clientOf('admin')('POST', '/Smpps', body)).body.sid as string
    const readAddresses = async (name: Parameters<typeof clientOf>[0], query = '') =>
      ((await clientOf(name)('GET', `/Smpps${query}`)).body as { ipv4: string }[]).map(({ ipv4 }) => ipv4)
    expect(await readAddresses('acme')).toEqual([])
    const sid = await createAddress({ ipv4: '192.0.2.2', port: 3550, use_tls: true, is_primary: 0 })
    await createAddress({ ipv4: '192.0.2.1' })
    await createAddress({ ipv4: '192.0.2.3', service_provider_sid: providers.north })
    expect((await clientOf('corp')('GET', '/Smpps')).body).toEqual([
      {
        smpp_address_sid: expect.any(String) as string,
        ipv4: '192.0.2.1',
        port: 5060,
        use_tls: 0,
        is_primary: 1,
        service_provider_sid: null,
      },
      { smpp_address_sid: sid, ipv4: '192.0.2.2', port: 3550, use_tls: 1, is_primary: 0, service_provider_sid: null },
    ])
    for (const name of ['admin', 'north', 'acme'] as const)
      expect(await readAddresses(name, providerQuery(providers.north))).toEqual(['192.0.2.3'])
    // Without addresses of the provider the list is empty. Only administrators see the addresses of other providers.
    expect(await readAddresses('admin', providerQuery(providers.south))).toEqual([])
    for (const name of ['south', 'corp'] as const)
      expect(await readAddresses(name, providerQuery(providers.north))).toEqual([])
    expect(await clientOf('admin')('DELETE', `/Smpps/${sid}`)).toMatchObject({ status: 204, body: undefined })
    expect(await readAddresses('north')).toEqual(['192.0.2.1'])
  })

  it.each([
    [{ port: 1 }, 'missing field ipv4', 'ipv4'],
    [{ ipv4: 'x', service_provider_sid: 'nobody' }, undefined, 'service_provider_sid'],
  ])('are refused with %o', async (body, msg, field) => {
    expect(await clientOf('admin')('POST', '/Smpps', body)).toMatchObject({
      status: 400,
      body: { ...(msg ? { msg } : {}), field },
    })
  })
})
