import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { engines } from '../../../test/engines'
import { apiClient } from '../../../test/speak'

/** The longest Call-ID that is captured, with characters that are escaped in a URL. */
const longId = '@'.repeat(255)

/** A Call-ID with the wildcards of a text search. */
const callId = '77%_1@10.0.0.1'

describe.each(engines)('captured SIP dialogues (%s)', (engine) => {
  let backend: Backend
  const captures = {
    trace: async () => ({ total: 3, data: [] }),
    pcap: async (id: string, dialogue: string) => (id === callId ? Buffer.from(`${dialogue} packets`) : undefined),
  }
  beforeAll(async () => {
    backend = await startBackend({ engine, outside: { captures } })
    const { acme, shared } = backend.world
    for (const [sid, id] of [
      [acme.voip_carrier, callId],
      [shared.north.voip_carrier, 'shared@host'],
    ] as const)
      await backend.database.db
        .updateTable('voip_carriers')
        .set({ register_status: JSON.stringify({ status: 'fail', callId: id }) })
        .where('voip_carrier_sid', '=', sid)
        .execute()
  })
  afterAll(() => backend.close())

  const expectedOwner = (actorName: 'acme' | 'bolt' | 'north' | 'south' | 'admin', path: string) =>
    apiClient(backend.app, backend.world.keys[actorName])('GET', path)
  const account = (name: 'acme' | 'bolt', id: string) =>
    `/Accounts/${backend.world[name].account}/RecentCalls/${encodeURIComponent(id)}`
  const provider = (id: string) =>
    `/ServiceProviders/${backend.world.providers.north}/RecentCalls/${encodeURIComponent(id)}`

  it("of a registration are visible to the carrier's owner", async () => {
    for (const actorName of ['acme', 'north', 'admin'] as const)
      expect(await expectedOwner(actorName, account('acme', callId))).toMatchObject({ status: 200, body: { total: 3 } })
    for (const actorName of ['north', 'admin'] as const)
      expect(await expectedOwner(actorName, provider('shared@host'))).toMatchObject({ status: 200, body: { total: 3 } })
    const response = await backend.app.inject({
      url: `/v1${account('acme', callId)}/register/pcap`,
      headers: { authorization: `Bearer ${backend.world.keys.acme}` },
    })
    expect(response).toMatchObject({ statusCode: 200, body: 'register packets' })
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="callid-77__1@10.0.0.1.pcap"',
    })
  })

  it("of a call are visible to the call's owner", async () => {
    const { acme, providers } = backend.world
    const time = BigInt(Date.now()) * 1_000_000n
    const tags = { account_sid: acme.account, service_provider_sid: providers.north }
    await backend.services.callHistory.write('cdrs', [{ tags, fields: { sip_callid: 'call@host' }, time }])
    const captured = captures.pcap
    captures.pcap = async (_id, dialogue) => Buffer.from(dialogue)
    for (const [actorName, path, status] of [
      ['acme', account('acme', 'call@host'), 200],
      ['north', provider('call@host'), 200],
      ['north', `${provider('call@host')}/invite/pcap`, 200],
      ['acme', `${account('acme', 'call@host')}/register/pcap`, 404],
      ['bolt', account('bolt', 'call@host'), 404],
      ['bolt', account('acme', 'call@host'), 403],
      ['north', account('bolt', 'call@host'), 404],
    ] as const)
      expect({ actorName, path, status: (await expectedOwner(actorName, path)).status }).toEqual({
        actorName,
        path,
        status,
      })
    captures.pcap = captured
  })

  it('of a call with records of two accounts are visible to their provider only', async () => {
    const { acme, bolt, providers } = backend.world
    const time = BigInt(Date.now()) * 1_000_000n
    const call = (account_sid: string, index: bigint) => ({
      tags: { account_sid, service_provider_sid: providers.north },
      fields: { sip_callid: 'claimed@host' },
      time: time + index,
    })
    await backend.services.callHistory.write('cdrs', [call(bolt.account, 0n)])
    expect((await expectedOwner('bolt', account('bolt', 'claimed@host'))).status).toBe(200)
    await backend.services.callHistory.write('cdrs', [call(acme.account, 1n)])
    for (const actorName of ['acme', 'bolt'] as const)
      expect((await expectedOwner(actorName, account(actorName, 'claimed@host'))).status).toBe(404)
    // No record hides anything from administrators.
    for (const path of [account('acme', 'claimed@host'), account('bolt', 'claimed@host')])
      expect((await expectedOwner('admin', path)).status).toBe(200)
    // Both belong to one provider, which may see either.
    expect((await expectedOwner('north', provider('claimed@host'))).status).toBe(200)
  })

  it.each<[Parameters<typeof expectedOwner>[0], () => string, number]>([
    ['bolt', () => account('bolt', callId), 404],
    ['acme', () => account('acme', 'shared@host'), 404],
    ['acme', () => account('acme', 'nobody@host'), 404],
    // A part of a Call-ID does not match.
    ['acme', () => account('acme', '10.0.0.1'), 404],
    ['north', () => account('bolt', callId), 404],
    ['acme', () => provider('shared@host'), 403],
    ['south', () => provider('shared@host'), 403],
    ['acme', () => `${account('acme', callId)}/invite/pcap`, 404],
    ['acme', () => `${account('acme', callId)}/options/pcap`, 404],
  ])('is not visible to %s of other tenants (%#)', async (actorName, path, status) => {
    expect((await expectedOwner(actorName, path())).status).toBe(status)
  })
})

describe.each(engines)('dialogues captured by this server (%s)', (engine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ engine })
    const { acme, providers } = backend.world
    await backend.services.callHistory.write(
      'cdrs',
      ['one@host', longId].map((sip_callid) => ({
        tags: { account_sid: acme.account, service_provider_sid: providers.north },
        fields: { sip_callid },
        time: BigInt(Date.now()) * 1_000_000n,
      })),
    )
    const store = backend.services.captureStore!
    const bytes = (text: string) => Buffer.from(text)
    const end = { address: Buffer.from([192, 0, 2, 1]), port: 5060 }
    const received = { source: end, target: end, time: Date.now() * 1000, dialogue: 'invite' as const }
    await store.add([
      { ...received, callId: 'one@host', payload: bytes('INVITE sip:one SIP/2.0\r\n\r\n') },
      { ...received, callId: longId, payload: bytes('INVITE sip:long SIP/2.0\r\n\r\n') },
      { ...received, callId: 'nobody@host', payload: bytes('INVITE sip:none SIP/2.0\r\n\r\n') },
    ])
  })
  afterAll(() => backend.close())

  it("are visible to the call's owner only", async () => {
    const { acme, bolt, keys } = backend.world
    const ask = (actorName: 'acme' | 'bolt', sid: string, path: string) =>
      apiClient(backend.app, keys[actorName])('GET', `/Accounts/${sid}/RecentCalls/${path}`)
    const result = await ask('acme', acme.account, 'one%40host')
    expect(result).toMatchObject({ status: 200, body: { total: 1 } })
    expect(result.body.data.messages).toMatchObject([{ method: 'INVITE', srcIp: '192.0.2.1', srcPort: 5060 }])
    expect(await ask('acme', acme.account, encodeURIComponent(longId))).toMatchObject({
      status: 200,
      body: { total: 1 },
    })
    const file = await ask('acme', acme.account, 'one%40host/invite/pcap')
    expect(file).toMatchObject({ status: 200, headers: { 'content-type': 'application/octet-stream' } })
    for (const [actorName, sid, path] of [
      ['acme', acme.account, 'nobody%40host'],
      ['acme', acme.account, 'nobody%40host/invite/pcap'],
      ['acme', acme.account, 'one%40host/register/pcap'],
      ['bolt', bolt.account, 'one%40host'],
      ['bolt', bolt.account, 'one%40host/invite/pcap'],
    ] as const)
      expect((await ask(actorName, sid, path)).status).toBe(404)
  })
})
