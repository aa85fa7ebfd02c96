import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FailingCarrier } from '@trunkline/contract/shapes/recent-call'
import { startBackend, type Backend } from '../../../test/backend'
import { databaseEngines } from '../../../test/databases'
import { createApiClient, type ApiClient } from '../../../test/api-client'
import type { Point } from '../../ports/call-history'

const minuteMs = 60_000

describe.each(databaseEngines)('failing carriers (%s)', (databaseEngine) => {
  let backend: Backend
  let clients: Record<'admin' | 'north' | 'south' | 'acme' | 'bolt', ApiClient>
  const now = Date.now()
  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    const { app, testData } = backend
    clients = {
      admin: createApiClient(app, testData.keys.admin),
      north: createApiClient(app, testData.keys.north),
      south: createApiClient(app, testData.keys.south),
      acme: createApiClient(app, testData.keys.acme),
      bolt: createApiClient(app, testData.keys.bolt),
    }
  })
  afterAll(() => backend.close())

  let callNumber = 0
  const buildCall = (
    account_sid: string,
    trunk: string,
    minutesAgo: number,
    sip_status: number,
    tags: Record<string, string> = {},
  ): Point => ({
    tags: {
      account_sid,
      service_provider_sid: backend.testData.providers.north,
      direction: 'outbound',
      answered: String(sip_status === 200),
      trunk,
      ...tags,
    },
    fields: { call_sid: `call-${(callNumber += 1)}`, from: '1555', to: '4420', sip_status },
    timeNs: BigInt(now - minutesAgo * minuteMs) * 1_000_000n + BigInt(callNumber),
  })
  const write = (...points: Point[]) => backend.services.callHistory.writePoints('cdrs', points)
  const addCarrier = async (client: ApiClient, name: string, overrides: object = {}): Promise<string> =>
    (
      (
        await client('POST', '/VoipCarriers', {
          name,
          service_provider_sid: backend.testData.providers.north,
          ...overrides,
        })
      ).body as { sid: string }
    ).sid
  const setRegistration = (voip_carrier_sid: string, register_status: string) =>
    backend.database.db
      .updateTable('voip_carriers')
      .set({ requires_register: 1, register_status })
      .where('voip_carrier_sid', '=', voip_carrier_sid)
      .execute()

  const ofNorth = async (client: ApiClient = clients.north): Promise<FailingCarrier[]> =>
    (await client('GET', `/ServiceProviders/${backend.testData.providers.north}/FailingCarriers`))
      .body as FailingCarrier[]
  const ofAccount = async (name: 'acme' | 'bolt', client: ApiClient = clients[name]): Promise<FailingCarrier[]> =>
    (await client('GET', `/Accounts/${backend.testData[name].account}/FailingCarriers`)).body as FailingCarrier[]
  const find = (carriers: FailingCarrier[], name: string) => carriers.find((carrier) => carrier.name === name)
  /** The address of the calls behind a figure, as the console requests them. */
  const countCalls = async ({ name, calls }: FailingCarrier, filter: string) =>
    (
      (
        await clients.north(
          'GET',
          `/ServiceProviders/${backend.testData.providers.north}/RecentCalls?page=1&count=25&direction=outbound&start=${calls!.since}&trunk=${name}${filter}`,
        )
      ).body as { total: number }
    ).total

  it('are those whose latest outbound calls failed, with the calls since the first failure', async () => {
    const { acme, bolt } = backend.testData
    const sid = await addCarrier(clients.north, 'Bluewater')
    await write(
      ...[90, 85, 80, 75, 70].map((minutes) => buildCall(acme.account, 'Bluewater', minutes, 200)),
      ...[14, 12, 10].map((minutes) => buildCall(acme.account, 'Bluewater', minutes, 503)),
      buildCall(bolt.account, 'Bluewater', 9, 403),
      buildCall(bolt.account, 'Bluewater', 8, 486),
      buildCall(bolt.account, 'Bluewater', 7, 200),
      ...[13, 11, 9, 7].map((minutes) => buildCall(acme.account, 'Bluewater', minutes, 503, { direction: 'inbound' })),
      ...[13, 12, 11, 10].map((minutes) => buildCall(acme.account, 'Harbour', minutes, 486)),
    )
    const carrier = find(await ofNorth(), 'Bluewater')!
    expect(carrier).toEqual({
      name: 'Bluewater',
      voip_carrier_sid: sid,
      calls: {
        since: new Date(now - 14 * minuteMs).toISOString(),
        total: 6,
        failed: 4,
        failures: [
          { sip_status: 503, calls: 3 },
          { sip_status: 403, calls: 1 },
        ],
      },
      registration: null,
    })
    expect(find(await ofNorth(), 'Harbour')).toBeUndefined()
    expect(await countCalls(carrier, '')).toBe(6)
    expect(await countCalls(carrier, '&answered=false&sip_status=503')).toBe(3)
  })

  it('of an account are judged by its own calls, and name only carriers that it may open', async () => {
    const carrier = find(await ofAccount('acme'), 'Bluewater')!
    expect(carrier).toMatchObject({ voip_carrier_sid: null, calls: { total: 3, failed: 3 } })
    expect(find(await ofAccount('bolt'), 'Bluewater')).toBeUndefined()
    expect(find(await ofAccount('acme', clients.north), 'Bluewater')!.voip_carrier_sid).not.toBeNull()
  })

  it('include carriers that refused the registration, unless they are inactive', async () => {
    const refused = JSON.stringify({ status: 'fail', reason: '403 Forbidden' })
    const ownSid = await addCarrier(clients.acme, 'Own trunk', { account_sid: backend.testData.acme.account })
    const sharedSid = await addCarrier(clients.north, 'Shared trunk')
    const inactiveSid = await addCarrier(clients.north, 'Inactive trunk', { is_active: 0 })
    const registeredSid = await addCarrier(clients.north, 'Registered trunk')
    for (const sid of [ownSid, sharedSid, inactiveSid]) await setRegistration(sid, refused)
    await setRegistration(registeredSid, JSON.stringify({ status: 'ok' }))
    const names = (carriers: FailingCarrier[]) =>
      carriers.filter(({ calls }) => calls === null).map(({ name, voip_carrier_sid }) => [name, voip_carrier_sid])
    expect(names(await ofNorth())).toEqual([
      ['Own trunk', ownSid],
      ['Shared trunk', sharedSid],
    ])
    expect(names(await ofAccount('acme'))).toEqual([
      ['Own trunk', ownSid],
      ['Shared trunk', null],
    ])
    // the carriers of other accounts are not shown
    expect(names(await ofAccount('bolt'))).toEqual([['Shared trunk', null]])
    expect(find(await ofNorth(), 'Own trunk')).toMatchObject({ registration: { reason: '403 Forbidden' } })
  })

  it.each(['nonsense', '{"status":7}', '[]', '{"status":"fail","reason":{}}'])(
    'do not break because of the registration state %s',
    async (state) => {
      await setRegistration(await addCarrier(clients.north, `Odd ${state.length}`), state)
      expect(await ofNorth()).toEqual(expect.any(Array))
    },
  )

  it('do not include a carrier that was switched off', async () => {
    const sid = await addCarrier(clients.north, 'Willow')
    await write(...[5, 4, 3].map((minutes) => buildCall(backend.testData.bolt.account, 'Willow', minutes, 500)))
    expect(find(await ofNorth(), 'Willow')).toBeDefined()
    await clients.north('PUT', `/VoipCarriers/${sid}`, { is_active: 0 })
    expect(find(await ofNorth(), 'Willow')).toBeUndefined()
  })

  it('of other tenants are refused, and none is visible to them', async () => {
    const { providers, acme } = backend.testData
    expect(await clients.south('GET', `/ServiceProviders/${providers.north}/FailingCarriers`)).toMatchObject({
      status: 403,
    })
    expect(await clients.bolt('GET', `/Accounts/${acme.account}/FailingCarriers`)).toMatchObject({ status: 403 })
    expect((await clients.south('GET', `/ServiceProviders/${providers.south}/FailingCarriers`)).body).toEqual([])
    expect(await clients.north('GET', '/ServiceProviders/x/FailingCarriers')).toMatchObject({ status: 400 })
  })
})
