import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../../db/database'
import type { ActivityPeriods, CallActivity, CallSubject, Tenant } from '../../../ports/call-history'
import { createTurnQueue, runInTurns } from '../../sql/time-slices'
import { createSqlApplicationCounter } from './application-counts'
import type { CallScanBuilder } from './call-scan'
import { buildHourCountClauses, type ScanClauses } from './index-scan'
import { splitHours, timestampOf } from './time-ids'

/** Subjects per statement. SQLite runs it in this thread and blocks all other requests meanwhile. */
const batchLimits = {
  sqlite: { targetMs: 8, initialRows: 25, minRows: 5, maxRows: 100 },
  mysql: { targetMs: 100, initialRows: 200, minRows: 20, maxRows: 200 },
}

const unknownActivity: CallActivity = { callCount: undefined, latestCallAt: undefined }

interface ActivityRow {
  position: number
  /** Sums are texts in MySQL. */
  call_count: number | string | null
  latest_id: number | null
}

/** A subject, and its position in the request. */
interface Entry<Subject> {
  subject: Subject
  position: number
}

type ApplicationSubject = CallSubject & { application_sid: string }

const isApplication = (entry: Entry<CallSubject>): entry is Entry<ApplicationSubject> =>
  entry.subject.application_sid !== undefined

const groupByTenant = (entries: readonly Entry<ApplicationSubject>[]) => {
  const groups = new Map<string, { tenant: Tenant; entries: Entry<ApplicationSubject>[] }>()
  for (const entry of entries) {
    const { tenant } = entry.subject
    const key = JSON.stringify(tenant)
    const group = groups.get(key) ?? { tenant, entries: [] }
    group.entries.push(entry)
    groups.set(key, group)
  }
  return [...groups.values()]
}

interface ActivityReaderOptions {
  database: Pick<Database, 'db' | 'engine'>
  clauses: ScanClauses
  scanBuilder: CallScanBuilder
  /** Are all calls in call blocks and in the counts of their trunk? */
  isIndexed: () => Promise<boolean>
}

/**
 * Creates a function that counts the calls of many subjects. Those of tenants and trunks are hour counts, the rows of a
 * partial hour, and one index lookup for the latest call. The calls of applications
 * are read from the blocks of the period; an earlier call of an application is not searched.
 */
export const createSqlActivityReader = ({ database, clauses, scanBuilder, isIndexed }: ActivityReaderOptions) => {
  const { db, engine } = database
  const countByApplication = createSqlApplicationCounter(database)
  const waitForTurn = createTurnQueue()

  const buildCount = ({ tenant, trunk }: CallSubject, { from }: ActivityPeriods): RawBuilder<unknown> => {
    const scan = scanBuilder.buildScan(tenant, { from, ...(trunk === undefined ? {} : { trunk }) })
    const { edges, hours } = splitHours(scan.idRange)
    const counts = edges.map((idRange) => clauses.countQuery({ ...scan, idRange }))
    if (hours) counts.push(sql`coalesce((select sum(number) ${buildHourCountClauses(scan, hours)}), 0)`)
    return counts.length > 0 ? sql.join(counts, sql` + `) : sql`0`
  }

  const buildLatestId = ({ tenant, trunk }: CallSubject, { latestFrom }: ActivityPeriods): RawBuilder<unknown> => {
    const scan = scanBuilder.buildScan(tenant, { from: latestFrom, ...(trunk === undefined ? {} : { trunk }) })
    return sql`(select max(id) from ${clauses.tableWithIndex(scan)} where ${clauses.whereCondition(scan)})`
  }

  const readScanned = async (
    entries: readonly Entry<CallSubject>[],
    periods: ActivityPeriods,
    hasTrunkCounts: boolean,
  ): Promise<ActivityRow[]> => {
    const activityRows: ActivityRow[] = []
    await runInTurns(entries, { limits: batchLimits[engine], waitForTurn }, async (batch) => {
      const queries = batch.map(({ subject, position }) => {
        const count = subject.trunk === undefined || hasTrunkCounts ? buildCount(subject, periods) : sql`null`
        return sql`select ${sql.lit(position)} as position, ${count} as call_count,
          ${buildLatestId(subject, periods)} as latest_id`
      })
      const { rows } = await sql<ActivityRow>`${sql.join(queries, sql` union all `)}`.execute(db)
      activityRows.push(...rows)
    })
    return activityRows
  }

  /** Counts the calls of a tenant's applications; none if there are too many calls to read. */
  const readApplications = async (
    tenant: Tenant,
    entries: readonly Entry<ApplicationSubject>[],
    { from }: ActivityPeriods,
  ): Promise<[number, CallActivity][]> => {
    const { idRange } = scanBuilder.buildScan(tenant, { from })
    const sids = entries.map(({ subject }) => subject.application_sid)
    const counts = await countByApplication(tenant, idRange, sids)
    return (counts ?? []).map(({ callCount, latestId }, index) => [
      entries[index]!.position,
      { callCount, latestCallAt: latestId === undefined ? undefined : timestampOf(latestId) },
    ])
  }

  return async (subjects: readonly CallSubject[], periods: ActivityPeriods): Promise<CallActivity[]> => {
    const entries = subjects.map((subject, position) => ({ subject, position }))
    const applications = entries.filter(isApplication)
    const scanned = entries.filter((entry) => !isApplication(entry))
    const needsIndex = applications.length > 0 || scanned.some(({ subject }) => subject.trunk !== undefined)
    const hasIndex = needsIndex && (await isIndexed())
    const activities = subjects.map(() => unknownActivity)
    for (const { position, call_count, latest_id } of await readScanned(scanned, periods, hasIndex))
      activities[position] = {
        callCount: call_count === null ? undefined : Number(call_count),
        latestCallAt: latest_id === null ? null : timestampOf(latest_id),
      }
    if (hasIndex)
      for (const group of groupByTenant(applications))
        for (const [position, activity] of await readApplications(group.tenant, group.entries, periods))
          activities[position] = activity
    return activities
  }
}
