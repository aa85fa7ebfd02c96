import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, callStores, openCallStore, newTenants, type CallStore } from '../../../test/call-stores'
import type { CallFilter, CallHistory, CallProperty, Tenant } from '../../ports/call-history'

const minuteMs = 60_000
const trunks = ['One', 'Two', 'Three']

describe.each(callStores)('calls grouped by trunk and account (%s)', (kind) => {
  const now = Date.now()
  let history: CallHistory
  let database: CallStore['database']
  beforeAll(async () => {
    ;({ history, database } = await openCallStore(kind, () => now))
  })
  afterAll(() => database?.close())

  /** A SQL store only groups calls by accounts that have a row in the database. */
  const addAccounts = async (service_provider_sid: string, sids: string[]) => {
    if (!database) return
    await database.db
      .insertInto('service_providers')
      .values({ service_provider_sid, name: service_provider_sid })
      .execute()
    for (const account_sid of sids)
      await database.db
        .insertInto('accounts')
        .values({ account_sid, service_provider_sid, name: account_sid, webhook_secret: 'secret' })
        .execute()
  }

  const writeCalls = async () => {
    const sids = newTenants()
    const { north, acme, bolt } = sids
    await addAccounts(north, [acme, bolt])
    const points = Array.from({ length: 240 }, (_, index) => {
      const isAnswered = index % 3 !== 0
      const attemptedAt = now - index * 25 * minuteMs - (index % 7)
      return callPoint(
        { service_provider_sid: north, account_sid: index % 4 ? acme : bolt },
        {
          timeMs: attemptedAt,
          tags: {
            answered: String(isAnswered),
            direction: index % 2 ? 'inbound' : 'outbound',
            trunk: trunks[index % 3 ? index % 2 : 2]!,
          },
          fields: { from: `n${index}`, sip_status: isAnswered ? 200 : 486, application_sid: `app-${index % 5}` },
        },
      )
    })
    await history.writePoints('cdrs', points)
    return sids
  }

  const filters: CallFilter[] = [
    {},
    { direction: 'inbound' },
    { answered: true },
    { answered: false, sip_status: 486 },
    { trunk: 'two' },
    { trunk: 'Two', answered: true },
    { text: 'n1' },
    { text: 'N1', trunk: 'One', answered: false },
    { application_sid: 'app-3' },
    { from: now - 3000 * minuteMs, to: now - 400 * minuteMs },
    { from: now - 30 * minuteMs },
    { from: now, to: now - minuteMs },
  ]

  it.each<CallProperty>(['trunk', 'account'])(
    'have the same counts as a list with the same filter, by %s',
    async (property) => {
      const { north, acme } = await writeCalls()
      for (const tenant of [{ service_provider_sid: north }, { account_sid: acme }] satisfies Tenant[])
        for (const filter of filters) {
          const { total, rows } = await history.listCalls(tenant, { ...filter, page: 1, count: 500 })
          expect(rows.length).toBe(total)
          const expected: Record<string, number[]> = {}
          for (const row of rows) {
            const counts = (expected[String(property === 'trunk' ? row.trunk : row.account_sid).toLowerCase()] ??= [
              0, 0,
            ])
            counts[0]! += 1
            counts[1]! += Number(row.answered)
          }
          const groups = await history.groupCalls(tenant, filter, property)
          expect(
            Object.fromEntries(
              groups.map(({ value, callCount, answeredCount }) => [value.toLowerCase(), [callCount, answeredCount]]),
            ),
            JSON.stringify({ tenant, filter }),
          ).toEqual(expected)
        }
    },
  )

  it('contain no calls of other tenants', async () => {
    const { south } = await writeCalls()
    for (const property of ['trunk', 'account'] as const)
      expect(await history.groupCalls({ service_provider_sid: south }, {}, property)).toEqual([])
  })
})
