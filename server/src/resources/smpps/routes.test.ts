import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { apiClient } from '../../../test/speak'

describe.each(engines)('SMPP addresses (%s)', (engine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ engine })
  })
  afterAll(() => backend.close())

  const as = (name: 'admin' | 'north' | 'south' | 'acme' | 'corp') => apiClient(backend.app, backend.world.keys[name])

  it("are the platform's, or those of the given provider", async () => {
    const { providers } = backend.world
    const tenant = (sid: string) => `?service_provider_sid=${sid}`
    const add = async (body: object) => (await as('admin')('POST', '/Smpps', body)).body.sid as string
    const read = async (name: Parameters<typeof as>[0], query = '') =>
      ((await as(name)('GET', `/Smpps${query}`)).body as { ipv4: string }[]).map(({ ipv4 }) => ipv4)
    expect(await read('acme')).toEqual([])
    const sid = await add({ ipv4: '192.0.2.2', port: 3550, use_tls: true, is_primary: 0 })
    await add({ ipv4: '192.0.2.1' })
    await add({ ipv4: '192.0.2.3', service_provider_sid: providers.north })
    expect((await as('corp')('GET', '/Smpps')).body).toEqual([
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
      expect(await read(name, tenant(providers.north))).toEqual(['192.0.2.3'])
    // Platform addresses have no provider, and only administrators see those of other providers.
    expect(await read('admin', tenant(providers.south))).toEqual([])
    for (const name of ['south', 'corp'] as const) expect(await read(name, tenant(providers.north))).toEqual([])
    expect(await as('admin')('DELETE', `/Smpps/${sid}`)).toMatchObject({ status: 204, body: undefined })
    expect(await read('north')).toEqual(['192.0.2.1'])
  })

  it.each([
    [{ port: 1 }, 'missing field ipv4', 'ipv4'],
    [{ ipv4: 'x', service_provider_sid: 'nobody' }, undefined, 'service_provider_sid'],
  ])('are refused with %o', async (body, msg, field) => {
    expect(await as('admin')('POST', '/Smpps', body)).toMatchObject({
      status: 400,
      body: { ...(msg ? { msg } : {}), field },
    })
  })
})
