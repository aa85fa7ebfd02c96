import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIngest } from '../../app'
import { readConfig } from '../../config/config'
import { homerCaptures } from '../../adapters/captures/homer'
import { startBackend, type Backend } from '../../../test/backend'
import { captured } from '../../../test/captured'
import { login, startHomer } from '../../../test/doubles/homer'
import { engines } from '../../../test/engines'
import { apiClient } from '../../../test/speak'
import type { CapturedMessage } from '../../ports/captures'

type Account = 'acme' | 'bolt' | 'corp'
type Reader = Account | 'north' | 'south' | 'admin'

const setups = engines.flatMap((engine) => [['the tables of this server', engine] as const, ['Homer', engine] as const])

describe.each(setups)('captures of a call in %s (%s)', (setup, engine) => {
  let homer: Awaited<ReturnType<typeof startHomer>> | undefined
  let backend: Backend
  let keyless: FastifyInstance
  beforeAll(async () => {
    homer = setup === 'Homer' ? await startHomer() : undefined
    backend = await startBackend({
      engine,
      config: { ingest: { byKey: true, host: '127.0.0.1' } },
      ...(homer ? { outside: { captures: homerCaptures({ url: homer.url, ...login }) } } : {}),
    })
    const config = readConfig({ JWT_SECRET: 'a secret', ENCRYPTION_SECRET: 'y' })
    keyless = await buildIngest({ config, services: backend.services, consoleFolder: '/none', version: '0' })
  })
  afterAll(async () => {
    await keyless.close()
    await backend.close()
    await homer?.stop()
  })

  const keep = async (messages: CapturedMessage[]) => {
    if (homer) homer.addMessages(messages)
    else await backend.services.captureStore!.add(messages)
  }
  const newCall = async () => {
    const sip_callid = `${randomUUID()}@host`
    await keep([captured(sip_callid)])
    return sip_callid
  }
  const line = (account: Account, sip_callid: string, { at: index = '', more: overrides = '' } = {}) =>
    `cdrs,account_sid=${backend.world[account].account}${overrides} sip_callid="${sip_callid}",from="1",to="2" ${index}`.trim()
  const write = (actorName: Account | 'north' | 'south' | 'admin' | 'platform', payload: string) =>
    actorName === 'platform'
      ? keyless.inject({ method: 'POST', url: '/write?db=cdrs', payload })
      : backend.app.inject({
          method: 'POST',
          url: '/write?db=cdrs',
          headers: { authorization: `Bearer ${backend.world.keys[actorName]}` },
          payload,
        })
  const claim = async (actorName: Parameters<typeof write>[0], account: Account, id: string, overrides = {}) =>
    expect((await write(actorName, line(account, id, overrides))).statusCode).toBe(204)

  const paths = (sip_callid: string) => {
    const { world } = backend
    const calls = `RecentCalls/${encodeURIComponent(sip_callid)}`
    return {
      ...Object.fromEntries(
        (['acme', 'bolt', 'corp'] as const).map((actorName) => [
          actorName,
          `/Accounts/${world[actorName].account}/${calls}`,
        ]),
      ),
      north: `/ServiceProviders/${world.providers.north}/${calls}`,
      south: `/ServiceProviders/${world.providers.south}/${calls}`,
    } as Record<Exclude<Reader, 'admin'>, string>
  }
  /** The tenants that can read the messages and the file. Administrators always can. */
  const readers = async (sip_callid: string) => {
    const can: string[] = []
    for (const [actorName, path] of Object.entries(paths(sip_callid))) {
      const read = apiClient(backend.app, backend.world.keys[actorName as Reader])
      const statuses = [(await read('GET', path)).status, (await read('GET', `${path}/invite/pcap`)).status]
      expect([
        [200, 200],
        [404, 404],
      ]).toContainEqual(statuses)
      if (statuses[0] === 200) can.push(actorName)
      expect((await apiClient(backend.app, backend.world.keys.admin)('GET', path)).status).toBe(200)
    }
    return can
  }

  it.each(['platform', 'admin'] as const)(
    "are visible to the account of the platform's record (%s)",
    async (writer) => {
      const id = await newCall()
      await claim('corp', 'corp', id, { at: '1000' })
      await claim(writer, 'acme', id)
      await claim('bolt', 'bolt', id, { at: '2000' })
      expect(await readers(id)).toEqual(['acme', 'north'])
    },
  )

  it('are visible to the first account with a record if the platform has none', async () => {
    const id = await newCall()
    await claim('acme', 'acme', id)
    await claim('corp', 'corp', id, { at: '1000' })
    await claim('bolt', 'bolt', id)
    expect(await readers(id)).toEqual(['acme', 'north'])
  })

  it('are visible to the account for which its provider wrote the first record', async () => {
    const id = await newCall()
    await claim('north', 'acme', id)
    await claim('corp', 'corp', id, { at: '1000' })
    expect(await readers(id)).toEqual(['acme', 'north'])
  })

  it('cannot be claimed by a record for another tenant or with a forged time of arrival', async () => {
    const id = await newCall()
    await claim('acme', 'acme', id)
    const { world } = backend
    const refused = [
      await write('corp', line('acme', id)),
      await write('corp', line('corp', id, { more: `,service_provider_sid=${world.providers.north}` })),
      await write('north', line('corp', id)),
      await write('corp', line('corp', id, { more: ',trunkline_arrival=1' })),
      await write('corp', `cdrs sip_callid="${id}",trunkline_arrival=1`),
      await write('platform', `${line('corp', id, { more: ',trunkline_arrival=1' })}`),
    ]
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 400, 400])
    expect(await readers(id)).toEqual(['acme', 'north'])
  })

  it('are listed for administrators only, even without a call record', async () => {
    const id = await newCall()
    const list = (actorName: Reader) =>
      apiClient(backend.app, backend.world.keys[actorName])(
        'GET',
        `/Captures?${new URLSearchParams({ filter: id }).toString()}`,
      )
    for (const tenant of ['acme', 'bolt', 'corp', 'north', 'south'] as const)
      expect((await list(tenant)).status, tenant).toBe(403)
    const { status, body } = await list('admin')
    const abilities = await apiClient(backend.app, backend.world.keys.admin)('GET', '/Abilities')
    expect(abilities.body.captures).toBe(setup !== 'Homer')
    if (setup === 'Homer') expect(status).toBe(404)
    else expect(body).toMatchObject({ data: [{ call_id: id }], next: null })
  })
})
