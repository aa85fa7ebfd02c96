import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, callStores, newTenants, openCallStore, type CallStore } from '../../../test/call-stores'
import { createSqlCallHistory } from './sql/store'
import type { CallActivity, CallHistory, CallSubject, Tenant } from '../../ports/call-history'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

describe.each(callStores)('the activities of tenants, trunks and applications (%s)', (kind) => {
  const now = Date.now()
  const periods = { from: now - dayMs, latestFrom: now - 30 * dayMs }
  let history: CallHistory
  let database: CallStore['database']
  beforeAll(async () => {
    ;({ history, database } = await openCallStore(kind, () => now))
  })
  afterAll(() => database?.close())

  /** 200 calls, one every 13 minutes, so that some of them are older than a day. */
  const writeCalls = async () => {
    const sids = newTenants()
    const { north, acme, bolt } = sids
    const points = Array.from({ length: 200 }, (_, index) => {
      const isAnswered = index % 3 !== 0
      return callPoint(
        { service_provider_sid: north, account_sid: index % 4 ? acme : bolt },
        {
          timeMs: now - index * 13 * minuteMs - (index % 7),
          tags: {
            answered: String(isAnswered),
            direction: index % 2 ? 'inbound' : 'outbound',
            trunk: index < 150 ? `Trunk ${index % 3}` : 'Old trunk',
          },
          fields: { sip_status: isAnswered ? 200 : 486, application_sid: index < 150 ? `app-${index % 5}` : 'app-old' },
        },
      )
    })
    const oldCall = (timeMs: number, trunk: string) =>
      callPoint({ service_provider_sid: north, account_sid: bolt }, { timeMs, tags: { trunk } })
    await history.writePoints('cdrs', [
      ...points,
      oldCall(now - 29 * dayMs, 'Last month'),
      oldCall(now - 31 * dayMs, 'Before last month'),
    ])
    return sids
  }

  /** The activity according to the list of calls. */
  const listActivity = async ({ tenant, ...filter }: CallSubject): Promise<CallActivity> => {
    const list = (from: number) => history.listCalls(tenant, { ...filter, from, page: 1, count: 1 })
    const [{ total }, { rows }] = await Promise.all([list(periods.from), list(periods.latestFrom)])
    return { callCount: total, latestCallAt: rows[0] ? Date.parse(rows[0].attempted_at) : null }
  }

  it('are those of the lists with the same filters, in the order of the subjects', async () => {
    const { north, south, acme, bolt } = await writeCalls()
    const tenants: Tenant[] = [{ service_provider_sid: north }, { account_sid: acme }, { account_sid: bolt }]
    const trunks = ['Trunk 0', 'Trunk 1', 'Trunk 2', 'Old trunk', 'Last month', 'Before last month', 'no such trunk']
    const subjects: CallSubject[] = [
      { tenant: { account_sid: south } },
      ...tenants.flatMap((tenant): CallSubject[] => [{ tenant }, ...trunks.map((trunk) => ({ tenant, trunk }))]),
      { tenant: { account_sid: south }, trunk: 'Trunk 0' },
    ]
    const activities = await history.listActivities(subjects, periods)
    expect(activities).toEqual(await Promise.all(subjects.map(listActivity)))
    expect(activities[0]).toEqual({ callCount: 0, latestCallAt: null })
    expect(activities[1]!.callCount).toBe(111)
    // the names of trunks ignore case in the databases, as their filter does
    const [{ callCount }] = (await history.listActivities(
      [{ tenant: { service_provider_sid: north }, trunk: kind === 'influx' ? 'Trunk 1' : 'TRUNK 1' }],
      periods,
    )) as [CallActivity]
    expect(callCount).toBe(37)
  })

  it('contain the calls of applications, without the latest call if the store cannot find it quickly', async () => {
    const { north, south, acme } = await writeCalls()
    const sids = ['app-0', 'app-1', 'app-4', 'app-old', 'no such application']
    const subjects = [{ service_provider_sid: north }, { account_sid: acme }, { account_sid: south }].flatMap(
      (tenant: Tenant) => sids.map((application_sid): CallSubject => ({ tenant, application_sid })),
    )
    const expected = await Promise.all(subjects.map(listActivity))
    const activities = await history.listActivities(subjects, periods)
    expect(activities.map(({ callCount }) => callCount)).toEqual(expected.map(({ callCount }) => callCount))
    for (const [index, { callCount, latestCallAt }] of activities.entries())
      if (callCount || latestCallAt !== undefined) expect(latestCallAt).toBe(expected[index]!.latestCallAt)
    expect(activities[0]!.callCount).toBe(23)
  })

  it('of no subject are empty', async () => {
    expect(await history.listActivities([], periods)).toEqual([])
  })

  it('are unknown, and not 0, until a database has indexed the calls of an older version', async () => {
    if (!database) return
    const { north: service_provider_sid } = await writeCalls()
    const tenant = { service_provider_sid }
    const indexedActivities = await history.listActivities([{ tenant }], periods)
    // the progress of the index
    await database.db.deleteFrom('trunkline_progress').execute()
    const unindexedHistory = createSqlCallHistory({ database }, { calls: 0, alerts: 0 }, () => now)
    expect(
      await unindexedHistory.listActivities(
        [{ tenant }, { tenant, trunk: 'Trunk 0' }, { tenant, application_sid: 'app-0' }],
        periods,
      ),
    ).toEqual([
      ...indexedActivities,
      { callCount: undefined, latestCallAt: now },
      { callCount: undefined, latestCallAt: undefined },
    ])
  })
})
