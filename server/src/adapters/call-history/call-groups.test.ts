import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, callStores, openCallStore, tenants, type CallStore } from '../../../test/call-stores'
import type { CallFilter, CallHistory, CallProperty, Tenant } from '../../ports/call-history'

const minute = 60_000
const trunks = ['One', 'Two', 'Three']

describe.each(callStores)('calls grouped by trunk and account (%s)', (kind) => {
  const now = Date.now()
  let history: CallHistory
  let database: CallStore['database']
  beforeAll(async () => {
    ;({ history, database } = await openCallStore(kind, () => now))
  })
  afterAll(() => database?.close())

  /** Accounts are known by their rows; calls alone do not make one. */
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

  const fill = async () => {
    const sids = tenants()
    const { north, acme, bolt } = sids
    await addAccounts(north, [acme, bolt])
    const points = Array.from({ length: 240 }, (_, index) => {
      const answered = index % 3 !== 0
      const timestamp = now - index * 25 * minute - (index % 7)
      return callPoint(
        { service_provider_sid: north, account_sid: index % 4 ? acme : bolt },
        {
          timeMs: timestamp,
          tags: {
            answered: String(answered),
            direction: index % 2 ? 'inbound' : 'outbound',
            trunk: trunks[index % 3 ? index % 2 : 2]!,
          },
          fields: { from: `n${index}`, sip_status: answered ? 200 : 486, application_sid: `app-${index % 5}` },
        },
      )
    })
    await history.write('cdrs', points)
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
    { from: now - 3000 * minute, to: now - 400 * minute },
    { from: now - 30 * minute },
    { from: now, to: now - minute },
  ]

  it.each<CallProperty>(['trunk', 'account'])('have the calls that would be listed, by %s', async (by) => {
    const { north, acme } = await fill()
    for (const tenant of [{ service_provider_sid: north }, { account_sid: acme }] satisfies Tenant[])
      for (const filter of filters) {
        const { total, rows } = await history.calls(tenant, { ...filter, page: 1, count: 500 })
        expect(rows.length).toBe(total)
        const expected: Record<string, number[]> = {}
        for (const row of rows) {
          const counts = (expected[String(by === 'trunk' ? row.trunk : row.account_sid).toLowerCase()] ??= [0, 0])
          counts[0]! += 1
          counts[1]! += Number(row.answered)
        }
        const groups = await history.groups(tenant, filter, by)
        expect(
          Object.fromEntries(groups.map(({ value, number, answered }) => [value.toLowerCase(), [number, answered]])),
          JSON.stringify({ tenant, filter }),
        ).toEqual(expected)
      }
  })

  it('are those of the tenant only', async () => {
    const { south } = await fill()
    for (const by of ['trunk', 'account'] as const)
      expect(await history.groups({ service_provider_sid: south }, {}, by)).toEqual([])
  })
})
