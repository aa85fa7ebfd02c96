import { sql } from 'kysely'
import { maxAlertGroups } from '@trunkline/contract/resources/alert'
import type { Database } from '../../../db/database'
import type { AlertListOptions, ResultPage, Tenant } from '../../../ports/call-history'
import { createAdaptiveBatchSize, createTurnQueue, runInTurns } from '../../sql/time-slices'
import { digestOfGroup } from './alert-index'
import { addToHistory, emptyHistory, getIntervals, intervalIndexOf } from './alert-histories'
import { computePageSlice } from './page-reader'
import { digestOf, digestOfTenant, type IdRange } from './time-ids'

/** A group of alerts: the ids of its newest and oldest alert, and counts. */
export interface AlertGroupRow {
  newestId: number
  oldestId: number
  /** Counts are texts in MySQL. */
  alertCount: number | string
  accountCount: number | string
  /** With `hasHistory`: see `alertHistory`. */
  history?: number[]
}

/** The alerts of a tenant in a range of time. */
interface AlertRange {
  tenant: Tenant
  idRange: IdRange
}

/** The fields by which alerts are grouped. */
export type GroupFields = Required<Pick<AlertListOptions, 'alert_type' | 'message'>>

interface GroupPageOptions extends Pick<AlertListOptions, 'page' | 'count' | 'alert_type'> {
  /** The range of the histories, if they are requested. Its end is that of the list. */
  historyEndAt: number | undefined
  historyRange: IdRange
}

/** Alerts or groups per statement. SQLite runs it in this thread and blocks all other requests meanwhile. */
const batchLimits = {
  sqlite: {
    alerts: { targetMs: 8, initialRows: 5000, minRows: 2000, maxRows: 50_000 },
    groups: { targetMs: 8, initialRows: 10, minRows: 1, maxRows: 500 },
  },
  mysql: {
    alerts: { targetMs: 100, initialRows: 20_000, minRows: 5000, maxRows: 200_000 },
    groups: { targetMs: 100, initialRows: 50, minRows: 1, maxRows: 500 },
  },
}

interface GroupIds {
  digest: number
  newestId: number
}

const rangeCondition = ({ tenant, idRange: { low, high } }: AlertRange) =>
  sql`owner_digest = ${digestOfTenant(tenant)} and id between ${low} and ${high}`

/**
 * Creates a function that lists groups, those with the newest alerts first. It reads the alerts from the newest on until
 * there are enough groups.
 */
const createGroupLister = ({ db, engine }: Pick<Database, 'db' | 'engine'>, waitForTurn: () => Promise<void>) => {
  const timeIndex =
    engine === 'sqlite' ? sql`indexed by trunkline_grouped_alerts_time_idx` : sql`force index (time_idx)`

  return async (range: AlertRange, alert_type: string | undefined): Promise<GroupIds[]> => {
    const typeCondition = alert_type === undefined ? sql`` : sql`and type_digest = ${digestOf(alert_type)}`
    const batchSize = createAdaptiveBatchSize(batchLimits[engine].alerts)
    const newestIds = new Map<number, number>()
    let { high } = range.idRange
    while (newestIds.size < maxAlertGroups) {
      await waitForTurn()
      const startedAt = performance.now()
      const limit = batchSize.current()
      const { rows } = await sql<{ digest: number; newestId: number; oldestId: number; alertCount: number | string }>`
        select group_digest as digest, max(id) as newestId, min(id) as oldestId, count(*) as alertCount from (
          select group_digest, id from trunkline_grouped_alerts ${timeIndex}
          where ${rangeCondition({ ...range, idRange: { ...range.idRange, high } })} ${typeCondition}
          order by id desc limit ${limit}) as newest
        group by group_digest order by newestId desc limit ${maxAlertGroups}`.execute(db)
      for (const { digest, newestId } of rows) if (!newestIds.has(digest)) newestIds.set(digest, newestId)
      if (rows.reduce((sum, { alertCount }) => sum + Number(alertCount), 0) < limit) break
      high = Math.min(...rows.map(({ oldestId }) => oldestId)) - 1
      batchSize.adjust(performance.now() - startedAt)
    }
    return [...newestIds].slice(0, maxAlertGroups).map(([digest, newestId]) => ({ digest, newestId }))
  }
}

/** Creates a reader of `trunkline_grouped_alerts`. It may only be used once that table contains all alerts. */
export const createGroupedAlertReader = (database: Pick<Database, 'db' | 'engine'>) => {
  const { db, engine } = database
  const waitForTurn = createTurnQueue()
  const listGroups = createGroupLister(database, waitForTurn)

  const digestCondition = (groups: readonly GroupIds[]) =>
    sql`group_digest in (${sql.join(groups.map(({ digest }) => digest))})`

  const countAlerts = async (range: AlertRange, groups: readonly GroupIds[]) => {
    const { rows } = await sql<Omit<AlertGroupRow, 'newestId'> & { digest: number }>`
      select group_digest as digest, min(id) as oldestId, count(*) as alertCount,
        count(distinct account_digest) as accountCount
      from trunkline_grouped_alerts where ${rangeCondition(range)} and ${digestCondition(groups)}
      group by group_digest`.execute(db)
    return rows
  }

  const readHistories = async (range: AlertRange, groups: readonly GroupIds[], endAt: number) => {
    const { firstId, idCount } = getIntervals(endAt)
    const { rows } = await sql<{ digest: number; intervalIndex: number; alertCount: number | string }>`
      select group_digest as digest, ${intervalIndexOf(engine, firstId, idCount)} as intervalIndex,
        count(*) as alertCount
      from trunkline_grouped_alerts where ${rangeCondition(range)} and ${digestCondition(groups)}
      group by group_digest, intervalIndex`.execute(db)
    const histories = new Map(groups.map(({ digest }) => [digest, [...emptyHistory]]))
    for (const { digest, intervalIndex, alertCount } of rows)
      addToHistory(histories.get(digest)!, intervalIndex, alertCount)
    return histories
  }

  return {
    async readGroupPage(
      range: AlertRange,
      { page, count, alert_type, historyEndAt, historyRange }: GroupPageOptions,
    ): Promise<ResultPage<AlertGroupRow>> {
      const groups = await listGroups(range, alert_type)
      const rows: AlertGroupRow[] = []
      const pageGroups = groups.slice((page - 1) * count, page * count)
      await runInTurns(pageGroups, { limits: batchLimits[engine].groups, waitForTurn }, async (batch) => {
        const counts = new Map((await countAlerts(range, batch)).map(({ digest, ...row }) => [digest, row]))
        const histories =
          historyEndAt === undefined
            ? undefined
            : await readHistories({ ...range, idRange: historyRange }, batch, historyEndAt)
        for (const { digest, newestId } of batch) {
          const row = counts.get(digest)
          const history = histories?.get(digest)
          // Alerts may have been deleted meanwhile.
          if (row) rows.push({ ...row, newestId, ...(history ? { history } : {}) })
        }
      })
      return { total: groups.length, rows }
    },

    /** Groups the alerts of one group by account. */
    async readAccountPage(
      range: AlertRange,
      { alert_type, message }: GroupFields,
      { page, count }: Pick<AlertListOptions, 'page' | 'count'>,
    ): Promise<ResultPage<AlertGroupRow>> {
      const { rows } = await sql<AlertGroupRow>`
        select max(id) as newestId, min(id) as oldestId, count(*) as alertCount,
          count(distinct account_digest) as accountCount
        from trunkline_grouped_alerts
        where ${rangeCondition(range)} and group_digest = ${digestOfGroup(alert_type, message)}
        group by account_digest order by newestId desc limit ${maxAlertGroups}`.execute(db)
      return { total: rows.length, rows: rows.slice((page - 1) * count, page * count) }
    },

    /** Lists the ids of a page of alerts of one group. */
    async listIds(range: AlertRange, { alert_type, message }: GroupFields, options: AlertListOptions) {
      const source = sql`from trunkline_grouped_alerts
        where ${rangeCondition(range)} and group_digest = ${digestOfGroup(alert_type, message)}`
      const counts = await sql<{ number: number | string }>`select count(*) as number ${source}`.execute(db)
      const total = Number(counts.rows[0]?.number)
      const { offset, length } = computePageSlice(options, total)
      const { rows } = await sql<{ id: number }>`select id ${source}
        order by id desc limit ${length} offset ${offset}`.execute(db)
      return { total, ids: rows.map(({ id }) => id) }
    },
  }
}

export type GroupedAlertReader = ReturnType<typeof createGroupedAlertReader>
