import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildIngestApp } from '../../composition/ingest-app'
import { readConfig } from '../../config/config'
import { createHomerCaptures } from '../../adapters/captures/homer'
import { startBackend, type Backend } from '../../../test/backend'
import { buildCapturedMessage } from '../../../test/captured-message'
import { homerLogin, startHomer } from '../../../test/doubles/homer'
import { databaseEngines } from '../../../test/databases'
import { createApiClient } from '../../../test/api-client'
import type { ActorName } from '../../../test/test-data'
import type { CapturedMessage } from '../../ports/captures'

type AccountName = 'acme' | 'bolt' | 'corp'

/** The author of a call record: an API key's actor or the voice platform itself. */
type CallRecordWriter = ActorName | 'platform'

const captureStores = databaseEngines.flatMap((databaseEngine) => [
  ["the server's tables", databaseEngine] as const,
  ['Homer', databaseEngine] as const,
])

describe.each(captureStores)('captures of a call in %s (%s)', (store, databaseEngine) => {
  let homer: Awaited<ReturnType<typeof startHomer>> | undefined
  let backend: Backend
  /** The ingest server for voice servers, which needs no API key. */
  let platformIngest: FastifyInstance
  beforeAll(async () => {
    homer = store === 'Homer' ? await startHomer() : undefined
    backend = await startBackend({
      databaseEngine,
      config: { ingest: { acceptsApiKeys: true, host: '127.0.0.1' } },
      ...(homer ? { externalServices: { captures: createHomerCaptures({ url: homer.url, ...homerLogin }) } } : {}),
    })
    const config = readConfig({ JWT_SECRET: 'a secret', ENCRYPTION_SECRET: 'y' })
    platformIngest = await buildIngestApp({ config, services: backend.services, consoleFolder: '/none', version: '0' })
  })
  afterAll(async () => {
    await platformIngest.close()
    await backend.close()
    await homer?.stop()
  })

  const storeMessages = async (messages: CapturedMessage[]) => {
    if (homer) homer.addMessages(messages)
    else await backend.services.captureStore!.storeMessages(messages)
  }
  const captureCall = async () => {
    const sip_callid = `${randomUUID()}@host`
    await storeMessages([buildCapturedMessage(sip_callid)])
    return sip_callid
  }
  const createCallRecordLine = (account: AccountName, sip_callid: string, { timestamp = '', extraTags = '' } = {}) =>
    `cdrs,account_sid=${backend.testData[account].account}${extraTags} sip_callid="${sip_callid}",from="1",to="2" ${timestamp}`.trim()
  const writeLine = (writer: CallRecordWriter, payload: string) =>
    writer === 'platform'
      ? platformIngest.inject({ method: 'POST', url: '/write?db=cdrs', payload })
      : backend.app.inject({
          method: 'POST',
          url: '/write?db=cdrs',
          headers: { authorization: `Bearer ${backend.testData.keys[writer]}` },
          payload,
        })
  const writeCallRecord = async (writer: CallRecordWriter, account: AccountName, sip_callid: string, options = {}) =>
    expect((await writeLine(writer, createCallRecordLine(account, sip_callid, options))).statusCode).toBe(204)

  const capturePathsOf = (sip_callid: string) => {
    const { testData } = backend
    const callPath = `RecentCalls/${encodeURIComponent(sip_callid)}`
    return {
      ...Object.fromEntries(
        (['acme', 'bolt', 'corp'] as const).map((account) => [
          account,
          `/Accounts/${testData[account].account}/${callPath}`,
        ]),
      ),
      north: `/ServiceProviders/${testData.providers.north}/${callPath}`,
      south: `/ServiceProviders/${testData.providers.south}/${callPath}`,
    } as Record<Exclude<ActorName, 'admin'>, string>
  }
  /** The tenants that can read the messages and the pcap file. Administrators always can. */
  const findReaders = async (sip_callid: string) => {
    const tenantsWithAccess: string[] = []
    for (const [tenant, path] of Object.entries(capturePathsOf(sip_callid))) {
      const request = createApiClient(backend.app, backend.testData.keys[tenant as ActorName])
      const statuses = [(await request('GET', path)).status, (await request('GET', `${path}/invite/pcap`)).status]
      expect([
        [200, 200],
        [404, 404],
      ]).toContainEqual(statuses)
      if (statuses[0] === 200) tenantsWithAccess.push(tenant)
      expect((await createApiClient(backend.app, backend.testData.keys.admin)('GET', path)).status).toBe(200)
    }
    return tenantsWithAccess
  }

  it.each(['platform', 'admin'] as const)(
    "are visible to the account of the platform's call record (%s)",
    async (writer) => {
      const sip_callid = await captureCall()
      await writeCallRecord('corp', 'corp', sip_callid, { timestamp: '1000' })
      await writeCallRecord(writer, 'acme', sip_callid)
      await writeCallRecord('bolt', 'bolt', sip_callid, { timestamp: '2000' })
      expect(await findReaders(sip_callid)).toEqual(['acme', 'north'])
    },
  )

  it('are visible to the first account with a call record if the platform has none', async () => {
    const sip_callid = await captureCall()
    await writeCallRecord('acme', 'acme', sip_callid)
    await writeCallRecord('corp', 'corp', sip_callid, { timestamp: '1000' })
    await writeCallRecord('bolt', 'bolt', sip_callid)
    expect(await findReaders(sip_callid)).toEqual(['acme', 'north'])
  })

  it('are visible to the account whose provider wrote the first call record', async () => {
    const sip_callid = await captureCall()
    await writeCallRecord('north', 'acme', sip_callid)
    await writeCallRecord('corp', 'corp', sip_callid, { timestamp: '1000' })
    expect(await findReaders(sip_callid)).toEqual(['acme', 'north'])
  })

  it('cannot be claimed by a call record for another tenant or with a forged arrival time', async () => {
    const sip_callid = await captureCall()
    await writeCallRecord('acme', 'acme', sip_callid)
    const { testData } = backend
    const responses = [
      await writeLine('corp', createCallRecordLine('acme', sip_callid)),
      await writeLine(
        'corp',
        createCallRecordLine('corp', sip_callid, { extraTags: `,service_provider_sid=${testData.providers.north}` }),
      ),
      await writeLine('north', createCallRecordLine('corp', sip_callid)),
      await writeLine('corp', createCallRecordLine('corp', sip_callid, { extraTags: ',trunkline_arrival=1' })),
      await writeLine('corp', `cdrs sip_callid="${sip_callid}",trunkline_arrival=1`),
      await writeLine('platform', createCallRecordLine('corp', sip_callid, { extraTags: ',trunkline_arrival=1' })),
    ]
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 400, 400])
    expect(await findReaders(sip_callid)).toEqual(['acme', 'north'])
  })

  it('are listed for administrators only, even without a call record', async () => {
    const sip_callid = await captureCall()
    const listCaptures = (actorName: ActorName) =>
      createApiClient(backend.app, backend.testData.keys[actorName])(
        'GET',
        `/Captures?${new URLSearchParams({ filter: sip_callid }).toString()}`,
      )
    for (const tenant of ['acme', 'bolt', 'corp', 'north', 'south'] as const)
      expect((await listCaptures(tenant)).status, tenant).toBe(403)
    const { status, body } = await listCaptures('admin')
    const abilities = await createApiClient(backend.app, backend.testData.keys.admin)('GET', '/Abilities')
    expect(abilities.body.captures).toBe(store !== 'Homer')
    if (store === 'Homer') expect(status).toBe(404)
    else expect(body).toMatchObject({ data: [{ call_id: sip_callid }], next: null })
  })
})
