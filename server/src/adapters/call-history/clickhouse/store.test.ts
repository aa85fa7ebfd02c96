import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { callPoint, newTenants } from '../../../../test/call-stores'
import { sendJson, startHttpServer } from '../../../../test/doubles/http-server'
import { UnavailableError } from '../../../ports/service-errors'
import { createClickHouseCallHistory } from './store'

const serverUrl = process.env.TEST_CLICKHOUSE_URL
const forever = { calls: 0, alerts: 0 }
const dayMs = 86_400_000
const page = { page: 1, count: 25 }

describe('an unreachable ClickHouse', () => {
  it('is reported as unavailable', async () => {
    const history = createClickHouseCallHistory('http://127.0.0.1:9', { retention: forever })
    await expect(history.listCalls({ account_sid: 'x' }, page)).rejects.toThrow(UnavailableError)
    await expect(history.writePoints('cdrs', [{ tags: {}, fields: { a: 1 }, timeNs: 1n }])).rejects.toThrow(
      'does not respond',
    )
  })
})

describe('an old ClickHouse', () => {
  it('is refused at the start and by each request, with the required version', async () => {
    const server = await startHttpServer((_, response) => sendJson(response, 200, { data: [{ version: '18.16.1' }] }))
    onTestFinished(() => server.stop())
    const history = createClickHouseCallHistory(server.address, { retention: forever })
    const message = 'The call history database (ClickHouse) has version 18.16.1. It must be 24 or newer.'
    await expect(history.backfill(new AbortController().signal)).rejects.toThrow(message)
    await expect(history.listCalls({ account_sid: 'x' }, page)).rejects.toThrow(message)
  })
})

describe('a ClickHouse that hangs', () => {
  it('does not delay the end of the process', async () => {
    const server = await startHttpServer(() => undefined)
    onTestFinished(() => server.stop())
    const history = createClickHouseCallHistory(server.address, { retention: forever })
    const controller = new AbortController()
    const preparation = history.backfill(controller.signal)
    controller.abort()
    await expect(preparation).resolves.toBeUndefined()
  })
})

describe.runIf(serverUrl)('a ClickHouse', () => {
  /** A database of its own, because pruning concerns the calls of all tenants. */
  const openDatabase = (clock?: () => number) => {
    const url = new URL(`/test_${randomUUID().replaceAll('-', '')}`, serverUrl).href
    return (retention = forever) =>
      createClickHouseCallHistory(url, { retention, minIntervalMs: 0, ...(clock ? { clock } : {}) })
  }

  it('hides records after their retention period, and drops the weeks that end before it', async () => {
    const now = Date.parse('2026-03-05T12:00:00Z')
    const openHistory = openDatabase(() => now)
    const history = openHistory()
    const { north } = newTenants()
    const owner = { service_provider_sid: north }
    const calls = [0, 1, 5, 20].map((days) =>
      callPoint(owner, { timeMs: now - days * dayMs, fields: { sip_callid: `${days}@host` } }),
    )
    await history.writePoints('cdrs', calls)
    await history.writePoints('alerts', [callPoint(owner, { timeMs: now - 20 * dayMs })])
    const limitedHistory = openHistory({ calls: 3, alerts: 3 })
    const countRecords = async (store: typeof history) => [
      (await store.listCalls(owner, page)).total,
      (await store.listAlerts(owner, page)).total,
      await store.isCallOwner(owner, { sip_callid: '5@host' }),
      await store.isCallOwner(owner, { sip_callid: '20@host' }),
    ]
    expect(await countRecords(limitedHistory)).toEqual([2, 0, false, false])
    await limitedHistory.prune()
    expect(await countRecords(limitedHistory)).toEqual([2, 0, false, false])
    // The week of the call that is 5 days old also contains later calls.
    expect(await countRecords(history)).toEqual([3, 0, true, false])
  })

  it('keeps all fields if several servers write parts of one call at the same time', async () => {
    const openHistory = openDatabase()
    const histories = [openHistory(), openHistory(), openHistory()]
    const { north } = newTenants()
    const owner = { service_provider_sid: north }
    const point = callPoint(owner, { timeMs: Date.now(), fields: { call_sid: 'parts' } })
    await Promise.all(
      histories.flatMap((history, server) =>
        [0, 1, 2].map((part) =>
          history.writePoints('cdrs', [{ ...point, fields: { call_sid: 'parts', [`field_${server}_${part}`]: part } }]),
        ),
      ),
    )
    const { total, rows } = await histories[0]!.listCalls(owner, page)
    expect(total).toBe(1)
    expect(Object.keys(rows[0]!).filter((name) => name.startsWith('field_'))).toHaveLength(9)
  })

  it('replaces a field with its latest value', async () => {
    const history = openDatabase()()
    const { north } = newTenants()
    const owner = { service_provider_sid: north }
    const point = callPoint(owner, { timeMs: Date.now(), fields: { call_sid: 'updated' } })
    for (const [cost, to] of [
      [9, 'first'],
      [10, 'second'],
      [8, 'third'],
    ] as const)
      await history.writePoints('cdrs', [{ ...point, fields: { call_sid: 'updated', cost, to } }])
    expect((await history.listCalls(owner, page)).rows).toMatchObject([{ cost: 8, to: 'third' }])
  })

  it('stores texts, names and values of any kind', async () => {
    const history = openDatabase()()
    const { north } = newTenants()
    const owner = { service_provider_sid: north }
    const fields = {
      call_sid: `quote ' " \\ \t\n; drop table x`,
      'a`b"c': '{"x": [1]}',
      isTest: true,
      ratio: 0.1,
      large: 9_007_199_254_740_991,
      empty: '',
    }
    await history.writePoints('cdrs', [
      callPoint(owner, { timeMs: Date.now(), fields: { ...fields, to: `half \ud800 pair` } }),
    ])
    expect(await history.findCall(owner, { call_sid: fields.call_sid })).toMatchObject({
      ...fields,
      to: 'half \ufffd pair',
    })
  })

  it('refuses times that it cannot store, and stores the other records', async () => {
    const history = openDatabase()()
    const { north } = newTenants()
    const owner = { service_provider_sid: north }
    const point = callPoint(owner, { timeMs: Date.now() })
    await expect(history.writePoints('cdrs', [{ ...point, timeNs: 2n ** 63n }, point])).rejects.toThrow(
      'time outside range',
    )
    expect((await history.listCalls(owner, page)).total).toBe(1)
  })

  it('returns the total of a page after the last one', async () => {
    const history = openDatabase()()
    const { north } = newTenants()
    const owner = { service_provider_sid: north }
    await history.writePoints('cdrs', [callPoint(owner, { timeMs: Date.now() })])
    expect(await history.listCalls(owner, { page: 3, count: 25 })).toEqual({ total: 1, rows: [] })
  })
})
