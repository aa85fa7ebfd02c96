import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startBackend, type Backend, type BackendOptions } from '../../../test/backend'
import { createApiClient } from '../../../test/api-client'
import { callPoint } from '../../../test/call-stores'
import { databaseEngines } from '../../../test/databases'
import type { ActorName } from '../../../test/test-data'
import { TooManyRecordsError } from '../../ports/call-history'
import { noPlatform } from '../../ports/live-platform'
import { UnavailableError } from '../../ports/service-errors'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const createRequests = (getBackend: () => Backend) => {
  const send = (query: Record<string, string>, as: ActorName) =>
    createApiClient(getBackend().app, getBackend().testData.keys[as])(
      'GET',
      `/RecordCounts?${new URLSearchParams(query).toString()}`,
    )
  return {
    send,
    count: async (kind: string, sids: string[], as: ActorName, figures?: string) => {
      const { status, body } = await send({ kind, sids: sids.join(), ...(figures ? { figures } : {}) }, as)
      expect({ status, body }).toMatchObject({ status: 200 })
      return body
    },
  }
}

describe.each(databaseEngines)('the counts of records (%s)', (databaseEngine) => {
  const now = Date.now()
  let backend: Backend
  const { send, count } = createRequests(() => backend)

  beforeAll(async () => {
    backend = await startBackend({ databaseEngine })
    await backend.services.callHistory.backfill(new AbortController().signal)
    const { acme, bolt, corp, providers } = backend.testData
    const pointOf = (
      [service_provider_sid, account_sid]: [string, string],
      ageMs: number,
      trunk: string,
      application_sid: string,
    ) =>
      callPoint(
        { service_provider_sid, account_sid },
        { timeMs: now - ageMs, tags: { trunk }, fields: { application_sid } },
      )
    const inAcme: [string, string] = [providers.north, acme.account]
    const inBolt: [string, string] = [providers.north, bolt.account]
    await backend.services.callHistory.writePoints('cdrs', [
      pointOf(inAcme, minuteMs, 'acme trunk', acme.application),
      pointOf(inAcme, 2 * minuteMs, 'shared trunk', acme.application),
      pointOf(inAcme, 2 * dayMs, 'acme trunk', acme.application),
      pointOf(inBolt, 3 * minuteMs, 'shared trunk', bolt.application),
      pointOf(inBolt, 4 * minuteMs, 'shared trunk', bolt.application),
      pointOf([providers.south, corp.account], 40 * dayMs, 'corp trunk', corp.application),
    ])
    // one more number of acme over the shared carrier, and one of bolt
    for (const [as, owner] of [
      ['acme', acme],
      ['bolt', bolt],
    ] as const)
      await createApiClient(backend.app, backend.testData.keys.north)('POST', '/PhoneNumbers', {
        number: `4420${as.length}${owner.account.replaceAll(/\D/g, '').slice(0, 6)}`,
        account_sid: owner.account,
        voip_carrier_sid: backend.testData.shared.north.voip_carrier,
      })
    await createApiClient(backend.app, backend.testData.keys.north)(
      'PUT',
      `/VoipCarriers/${backend.testData.shared.north.voip_carrier}`,
      { name: 'shared trunk' },
    )
  })
  afterAll(() => backend.close())

  const timeOf = (ageMs: number) => new Date(now - ageMs).toISOString()

  it('are announced by the capabilities of the server', async () => {
    const { body } = await createApiClient(backend.app, backend.testData.keys.acme)('GET', '/Abilities')
    expect(body).toMatchObject({ recordCounts: true })
  })

  it('of accounts are their numbers and calls, without calls in progress if no platform is connected', async () => {
    const { acme, bolt, corp } = backend.testData
    expect(await count('account', [acme.account, bolt.account, corp.account], 'admin')).toEqual({
      [acme.account]: { phone_numbers: 2, calls_24h: 2, last_call_at: timeOf(minuteMs) },
      [bolt.account]: { phone_numbers: 2, calls_24h: 2, last_call_at: timeOf(3 * minuteMs) },
      // its latest call is older than 30 days
      [corp.account]: { phone_numbers: 1, calls_24h: 0, last_call_at: null },
    })
  })

  it('of carriers are the calls over a trunk of that name', async () => {
    const { acme, shared } = backend.testData
    const sids = [acme.voip_carrier, shared.north.voip_carrier]
    expect(await count('voip_carrier', sids, 'north')).toEqual({
      [acme.voip_carrier]: { phone_numbers: 1, calls_24h: 1, last_call_at: timeOf(minuteMs) },
      [shared.north.voip_carrier]: { phone_numbers: 2, calls_24h: 3, last_call_at: timeOf(2 * minuteMs) },
    })
  })

  it('of a carrier that a provider shares are, for an account, only its own numbers and calls', async () => {
    const { shared } = backend.testData
    const sid = shared.north.voip_carrier
    expect(await count('voip_carrier', [sid], 'acme')).toEqual({
      [sid]: { phone_numbers: 1, calls_24h: 1, last_call_at: timeOf(2 * minuteMs) },
    })
    expect(await count('voip_carrier', [sid], 'bolt')).toEqual({
      [sid]: { phone_numbers: 1, calls_24h: 2, last_call_at: timeOf(3 * minuteMs) },
    })
  })

  it('of applications omit the latest call if it is older than a day, because the database cannot find it', async () => {
    const { acme, corp } = backend.testData
    expect(await count('application', [acme.application, corp.application], 'admin')).toEqual({
      [acme.application]: { phone_numbers: 1, calls_24h: 2, last_call_at: timeOf(minuteMs) },
      [corp.application]: { phone_numbers: 1, calls_24h: 0 },
    })
  })

  it('omit foreign and unknown records', async () => {
    const { acme, bolt, corp, shared } = backend.testData
    const unknownSid = randomUUID()
    const visibleSids = async (kind: string, sids: string[], as: ActorName) =>
      Object.keys(await count(kind, [...sids, unknownSid], as)).sort()
    const accounts = [acme.account, bolt.account, corp.account]
    expect(await visibleSids('account', accounts, 'north')).toEqual([acme.account, bolt.account].sort())
    expect(await visibleSids('account', accounts, 'acme')).toEqual([acme.account])
    expect(await visibleSids('account', accounts, 'corp')).toEqual([corp.account])
    const applications = [acme.application, bolt.application, corp.application]
    expect(await visibleSids('application', applications, 'south')).toEqual([corp.application])
    expect(await visibleSids('application', applications, 'bolt')).toEqual([bolt.application])
    const carriers = [acme.voip_carrier, corp.voip_carrier, shared.north.voip_carrier, shared.south.voip_carrier]
    expect(await visibleSids('voip_carrier', carriers, 'bolt')).toEqual([shared.north.voip_carrier])
    expect(await visibleSids('voip_carrier', carriers, 'south')).toEqual(
      [corp.voip_carrier, shared.south.voip_carrier].sort(),
    )
  })

  it('contain only the requested figures', async () => {
    const { account } = backend.testData.acme
    expect(await count('account', [account], 'acme', 'phone_numbers')).toEqual({ [account]: { phone_numbers: 2 } })
    expect(await count('account', [account], 'acme', 'calls,live_calls')).toEqual({
      [account]: { calls_24h: 2, last_call_at: timeOf(minuteMs) },
    })
  })

  it.each([
    [{ sids: randomUUID() }, 'kind must be one of account, voip_carrier, application, phone_number', 'kind'],
    [
      { kind: 'user', sids: randomUUID() },
      'kind must be one of account, voip_carrier, application, phone_number',
      'kind',
    ],
    [{ kind: 'account' }, 'sids must be SIDs, separated by commas', 'sids'],
    [{ kind: 'account', sids: '' }, 'sids must be SIDs, separated by commas', 'sids'],
    [{ kind: 'account', sids: `${randomUUID()},x' or 1=1` }, 'sids must be SIDs, separated by commas', 'sids'],
    [
      { kind: 'account', sids: Array.from({ length: 201 }, () => randomUUID()).join() },
      'sids must be at most 200 SIDs',
      'sids',
    ],
    [
      { kind: 'account', sids: randomUUID(), figures: 'calls,users' },
      'figures must be some of phone_numbers, calls, live_calls, separated by commas',
      'figures',
    ],
  ])('refuse an invalid query (%#)', async (query: Record<string, string>, msg, field) => {
    expect(await send(query, 'acme')).toMatchObject({ status: 400, body: { msg, field } })
  })

  it('are returned for as many records as one request may name', async () => {
    const { account } = backend.testData.acme
    const sids = [account, ...Array.from({ length: 199 }, () => randomUUID())]
    expect(Object.keys(await count('account', sids, 'admin'))).toEqual([account])
  })

  it('of phone numbers are their calls of 7 days, among those of the actor and of the provider of the number', async () => {
    const { acme, bolt, corp, providers } = backend.testData
    const number = '33155550123'
    const addNumber = async (voip_carrier_sid: string, account_sid?: string) => {
      const draft = { number, voip_carrier_sid, ...(account_sid ? { account_sid } : {}) }
      const { status, body } = await createApiClient(backend.app, backend.testData.keys.admin)(
        'POST',
        '/PhoneNumbers',
        draft,
      )
      expect({ status, body }).toMatchObject({ status: 201 })
      return (body as { sid: string }).sid
    }
    const ofAcme = await addNumber(acme.voip_carrier, acme.account)
    const ofNorth = await addNumber(backend.testData.shared.north.voip_carrier)
    const ofCorp = await addNumber(corp.voip_carrier, corp.account)
    const pointOf = (service_provider_sid: string, account_sid: string, ageMs: number, isInbound: boolean) =>
      callPoint(
        { service_provider_sid, account_sid },
        {
          timeMs: now - ageMs,
          tags: { direction: isInbound ? 'inbound' : 'outbound', trunk: 'numbers' },
          fields: isInbound ? { from: '1', to: `+${number}` } : { from: number, to: '1' },
        },
      )
    await backend.services.callHistory.writePoints('cdrs', [
      pointOf(providers.north, acme.account, 3 * dayMs, true),
      pointOf(providers.north, acme.account, 4 * dayMs, false),
      pointOf(providers.north, acme.account, 8 * dayMs, true),
      pointOf(providers.north, bolt.account, 5 * dayMs, true),
      pointOf(providers.south, corp.account, 6 * dayMs, true),
    ])
    const sids = [ofAcme, ofNorth, ofCorp]
    expect(await count('phone_number', sids, 'acme')).toEqual({ [ofAcme]: { calls_7d: 2 } })
    expect(await count('phone_number', sids, 'bolt')).toEqual({})
    expect(await count('phone_number', sids, 'north')).toEqual({
      [ofAcme]: { calls_7d: 3 },
      [ofNorth]: { calls_7d: 3 },
    })
    expect(await count('phone_number', sids, 'south')).toEqual({ [ofCorp]: { calls_7d: 1 } })
    const countByNumber = vi.spyOn(backend.services.callHistory, 'countByNumber')
    expect(await count('phone_number', sids, 'admin')).toEqual({
      [ofAcme]: { calls_7d: 3 },
      [ofNorth]: { calls_7d: 3 },
      [ofCorp]: { calls_7d: 1 },
    })
    // one query per provider, not one per number
    expect(countByNumber).toHaveBeenCalledTimes(2)
    expect(await count('phone_number', [ofAcme], 'acme', 'phone_numbers,live_calls')).toEqual({ [ofAcme]: {} })
    countByNumber.mockRejectedValueOnce(new TooManyRecordsError())
    expect(await count('phone_number', [ofAcme], 'acme')).toEqual({ [ofAcme]: {} })
    countByNumber.mockRestore()
  })
})

describe('the calls in progress of accounts', () => {
  let backend: Backend
  const { count } = createRequests(() => backend)
  const start = async (livePlatform: NonNullable<BackendOptions['externalServices']>['livePlatform']) => {
    backend = await startBackend({ externalServices: livePlatform ? { livePlatform } : {} })
  }

  it('are counted with one read of the platform, beside their limit', async () => {
    let calls: { accountSid: string }[] = []
    let readCount = 0
    await start({
      ...noPlatform,
      listCalls: (account_sid) => {
        readCount += 1
        return Promise.resolve(calls.filter(({ accountSid }) => !account_sid || accountSid === account_sid))
      },
    })
    const { acme, bolt, corp, keys } = backend.testData
    calls = [acme, acme, corp].map(({ account }) => ({ accountSid: account }))
    const setLimit = (account_sid: string, quantity: number) =>
      createApiClient(backend.app, keys.admin)('POST', `/Accounts/${account_sid}/Limits`, {
        category: 'voice_call_session',
        quantity,
      })
    await setLimit(acme.account, 10)
    await setLimit(bolt.account, 0)
    const accounts = [acme.account, bolt.account, corp.account]
    expect(await count('account', accounts, 'north', 'live_calls')).toEqual({
      [acme.account]: { live_calls: 2, call_limit: 10 },
      [bolt.account]: { live_calls: 0, call_limit: null },
    })
    expect(readCount).toBe(1)
    expect(await count('account', accounts, 'acme', 'live_calls')).toEqual({
      [acme.account]: { live_calls: 2, call_limit: 10 },
    })
    expect(await count('application', [acme.application], 'acme', 'live_calls')).toEqual({ [acme.application]: {} })
    await backend.close()
  })

  it('are omitted if the platform does not respond, and the other figures are not', async () => {
    await start({ ...noPlatform, listCalls: () => Promise.reject(new UnavailableError('no Redis')) })
    const { account } = backend.testData.acme
    expect(await count('account', [account], 'north')).toEqual({
      [account]: { phone_numbers: 1, calls_24h: 0, last_call_at: null },
    })
    await backend.close()
  })
})

it('count the numbers if the call history does not respond', async () => {
  const backend = await startBackend()
  const { count } = createRequests(() => backend)
  backend.services.callHistory.listActivities = () => Promise.reject(new UnavailableError('no InfluxDB'))
  const { account } = backend.testData.acme
  expect(await count('account', [account], 'north')).toEqual({ [account]: { phone_numbers: 1 } })
  await backend.close()
})
