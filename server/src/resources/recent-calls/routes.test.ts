import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient } from '../../../test/api-client'

/** The longest Call-ID that is captured, with characters that are escaped in a URL. */
const longId = '@'.repeat(255)

/** A Call-ID with the wildcards of a text search. */
const callId = '77%_1@10.0.0.1'

describe.each(databaseEngines)('captured SIP dialogs (%s)', (databaseEngine) => {
  let backend: Backend
  const captures = {
    findMessages: async () => ({ total: 3, data: [] }),
    findPcap: async (sipCallId: string, method: string) =>
      sipCallId === callId ? Buffer.from(`${method} packets`) : undefined,
  }
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine, externalServices: { captures } })
    const { acme, shared } = backend.testData
    for (const [carrierSid, registrationCallId] of [
      [acme.voip_carrier, callId],
      [shared.north.voip_carrier, 'shared@host'],
    ] as const)
      await backend.database.db
        .updateTable('voip_carriers')
        .set({ register_status: JSON.stringify({ status: 'fail', callId: registrationCallId }) })
        .where('voip_carrier_sid', '=', carrierSid)
        .execute()
  })
  afterAll(() => backend.close())

  const getAs = (actorName: 'acme' | 'bolt' | 'north' | 'south' | 'admin', path: string) =>
    createApiClient(backend.app, backend.testData.keys[actorName])('GET', path)
  const accountPath = (name: 'acme' | 'bolt', sipCallId: string) =>
    `/Accounts/${backend.testData[name].account}/RecentCalls/${encodeURIComponent(sipCallId)}`
  const providerPath = (sipCallId: string) =>
    `/ServiceProviders/${backend.testData.providers.north}/RecentCalls/${encodeURIComponent(sipCallId)}`

  it('of a registration are visible to the owner of the carrier', async () => {
    for (const actorName of ['acme', 'north', 'admin'] as const)
      expect(await getAs(actorName, accountPath('acme', callId))).toMatchObject({ status: 200, body: { total: 3 } })
    for (const actorName of ['north', 'admin'] as const)
      expect(await getAs(actorName, providerPath('shared@host'))).toMatchObject({ status: 200, body: { total: 3 } })
    const response = await backend.app.inject({
      url: `/v1${accountPath('acme', callId)}/register/pcap`,
      headers: { authorization: `Bearer ${backend.testData.keys.acme}` },
    })
    expect(response).toMatchObject({ statusCode: 200, body: 'register packets' })
    expect(response.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment; filename="callid-77__1@10.0.0.1.pcap"',
    })
  })

  it('of a call are visible to the owner of the call', async () => {
    const { acme, providers } = backend.testData
    const time = BigInt(Date.now()) * 1_000_000n
    const tags = { account_sid: acme.account, service_provider_sid: providers.north }
    await backend.services.callHistory.writePoints('cdrs', [
      { tags, fields: { sip_callid: 'call@host' }, timeNs: time },
    ])
    const originalPcap = captures.findPcap
    captures.findPcap = async (_id, method) => Buffer.from(method)
    for (const [actorName, path, status] of [
      ['acme', accountPath('acme', 'call@host'), 200],
      ['north', providerPath('call@host'), 200],
      ['north', `${providerPath('call@host')}/invite/pcap`, 200],
      ['acme', `${accountPath('acme', 'call@host')}/register/pcap`, 404],
      ['bolt', accountPath('bolt', 'call@host'), 404],
      ['bolt', accountPath('acme', 'call@host'), 403],
      ['north', accountPath('bolt', 'call@host'), 404],
    ] as const)
      expect({ actorName, path, status: (await getAs(actorName, path)).status }).toEqual({
        actorName,
        path,
        status,
      })
    captures.findPcap = originalPcap
  })

  it('of a call with records of two accounts are visible only to their provider', async () => {
    const { acme, bolt, providers } = backend.testData
    const time = BigInt(Date.now()) * 1_000_000n
    const callPoint = (account_sid: string, delayNs: bigint) => ({
      tags: { account_sid, service_provider_sid: providers.north },
      fields: { sip_callid: 'claimed@host' },
      timeNs: time + delayNs,
    })
    await backend.services.callHistory.writePoints('cdrs', [callPoint(bolt.account, 0n)])
    expect((await getAs('bolt', accountPath('bolt', 'claimed@host'))).status).toBe(200)
    await backend.services.callHistory.writePoints('cdrs', [callPoint(acme.account, 1n)])
    for (const actorName of ['acme', 'bolt'] as const)
      expect((await getAs(actorName, accountPath(actorName, 'claimed@host'))).status).toBe(404)
    // Administrators see every dialog.
    for (const path of [accountPath('acme', 'claimed@host'), accountPath('bolt', 'claimed@host')])
      expect((await getAs('admin', path)).status).toBe(200)
    // Both accounts belong to this provider.
    expect((await getAs('north', providerPath('claimed@host'))).status).toBe(200)
  })

  it.each<[Parameters<typeof getAs>[0], () => string, number]>([
    ['bolt', () => accountPath('bolt', callId), 404],
    ['acme', () => accountPath('acme', 'shared@host'), 404],
    ['acme', () => accountPath('acme', 'nobody@host'), 404],
    // A part of a Call-ID does not match.
    ['acme', () => accountPath('acme', '10.0.0.1'), 404],
    ['north', () => accountPath('bolt', callId), 404],
    ['acme', () => providerPath('shared@host'), 403],
    ['south', () => providerPath('shared@host'), 403],
    ['acme', () => `${accountPath('acme', callId)}/invite/pcap`, 404],
    ['acme', () => `${accountPath('acme', callId)}/options/pcap`, 404],
  ])('are not visible to %s at the path of another tenant, Call-ID or method (%#)', async (actorName, path, status) => {
    expect((await getAs(actorName, path())).status).toBe(status)
  })
})

describe.each(databaseEngines)('SIP dialogs captured by this server (%s)', (databaseEngine) => {
  let backend: Backend
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    const { acme, providers } = backend.testData
    await backend.services.callHistory.writePoints(
      'cdrs',
      ['one@host', longId].map((sip_callid) => ({
        tags: { account_sid: acme.account, service_provider_sid: providers.north },
        fields: { sip_callid },
        timeNs: BigInt(Date.now()) * 1_000_000n,
      })),
    )
    const store = backend.services.captureStore!
    const toBytes = (text: string) => Buffer.from(text)
    const endpoint = { address: Buffer.from([192, 0, 2, 1]), port: 5060 }
    const packet = { source: endpoint, target: endpoint, timeUs: Date.now() * 1000, dialogType: 'invite' as const }
    await store.storeMessages([
      { ...packet, callId: 'one@host', payload: toBytes('INVITE sip:one SIP/2.0\r\n\r\n') },
      { ...packet, callId: longId, payload: toBytes('INVITE sip:long SIP/2.0\r\n\r\n') },
      { ...packet, callId: 'nobody@host', payload: toBytes('INVITE sip:none SIP/2.0\r\n\r\n') },
    ])
  })
  afterAll(() => backend.close())

  it('are visible only to the owner of the call', async () => {
    const { acme, bolt, keys } = backend.testData
    const getPath = (actorName: 'acme' | 'bolt', sid: string, path: string) =>
      createApiClient(backend.app, keys[actorName])('GET', `/Accounts/${sid}/RecentCalls/${path}`)
    const capture = await getPath('acme', acme.account, 'one%40host')
    expect(capture).toMatchObject({ status: 200, body: { total: 1 } })
    expect(capture.body.data.messages).toMatchObject([{ method: 'INVITE', srcIp: '192.0.2.1', srcPort: 5060 }])
    expect(await getPath('acme', acme.account, encodeURIComponent(longId))).toMatchObject({
      status: 200,
      body: { total: 1 },
    })
    const pcap = await getPath('acme', acme.account, 'one%40host/invite/pcap')
    expect(pcap).toMatchObject({ status: 200, headers: { 'content-type': 'application/octet-stream' } })
    for (const [actorName, sid, path] of [
      ['acme', acme.account, 'nobody%40host'],
      ['acme', acme.account, 'nobody%40host/invite/pcap'],
      ['acme', acme.account, 'one%40host/register/pcap'],
      ['bolt', bolt.account, 'one%40host'],
      ['bolt', bolt.account, 'one%40host/invite/pcap'],
    ] as const)
      expect((await getPath(actorName, sid, path)).status).toBe(404)
  })
})
