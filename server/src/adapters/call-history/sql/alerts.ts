import { sql } from 'kysely'
import type { Store } from '../../../db/repository'
import type { AlertListOptions, ResultPage, Tenant } from '../../../ports/call-history'
import { alertKind, timestampOf, idRangeOf } from './time-ids'
import type { Reader, IndexScan } from './reader'
import { ownerFilter, toStoredRows, type StoredRow } from './stored-rows'

/** A group of alerts: its newest alert and facts about all of them. */
export interface StoredGroup {
  newest: StoredRow
  count: number
  first: string
  accounts: number
}

/** The maximum number of groups in a list. The oldest ones beyond it are left out. */
const maxGroups = 5000

/** Fields that a text search covers, besides the alert type. */
const searchedFields = ['message', 'detail', 'vendor']

/** Reads pages of alerts, ungrouped and grouped. */
export const sqlAlerts = (
  { database: { db } }: Pick<Store, 'database'>,
  oldestAt: () => number,
  { pageByHourCounts, pageByCounting, tableWithIndex, whereOf, pointField }: Reader,
) => {
  const textCondition = (text: string) => {
    const lowerText = text.toLowerCase()
    const conditions = [sql`alert_type`, ...searchedFields.map(pointField)].map(
      (value) => sql`instr(lower(coalesce(${value}, '')), ${lowerText}) > 0`,
    )
    return sql`(${sql.join([...conditions, sql`${pointField('target_sid')} = ${text.trim()}`], sql` or `)})`
  }

  const alertScan = (tenant: Tenant, options: AlertListOptions): IndexScan => {
    const { indexPrefix, ownerCondition, owner_sid, kindOffset } = ownerFilter(tenant)
    const { alert_type, text, message } = options
    return {
      table: 'trunkline_alerts',
      tenant,
      index: `${indexPrefix}_${alert_type === undefined ? 'idx' : 'type_idx'}`,
      ownerCondition,
      owner_sid,
      range: idRangeOf(options, oldestAt()),
      conditions: [
        ...(alert_type === undefined ? [] : [sql`alert_type = ${alert_type}`]),
        ...(text ? [textCondition(text)] : []),
        ...(message === undefined ? [] : [sql`${pointField('message')} = ${message}`]),
      ],
      kinds: [alertKind + kindOffset],
    }
  }

  return {
    list(tenant: Tenant, options: AlertListOptions): Promise<ResultPage<StoredRow>> {
      const scan = alertScan(tenant, options)
      return scan.conditions.length === 0 ? pageByHourCounts(scan, options) : pageByCounting(scan, options)
    },

    async groups(tenant: Tenant, options: AlertListOptions): Promise<ResultPage<StoredGroup>> {
      const scan = alertScan(tenant, options)
      const { rows } = await sql<{ last: number; first: number; number: number | string; accounts: number | string }>`
        select max(id) as last, min(id) as first, count(*) as number, count(distinct account_sid) as accounts
        from ${tableWithIndex(scan)} where ${whereOf(scan)}
        group by alert_type, ${pointField('message')} order by 1 desc limit ${maxGroups}`.execute(db)
      const page = rows.slice((options.page - 1) * options.count, options.page * options.count)
      if (page.length === 0) return { total: rows.length, rows: [] }
      const newest = await sql<{ id: number; point: string }>`select id, point from trunkline_alerts
        where id in (${sql.join(page.map(({ last }) => last))}) and ${scan.ownerCondition} order by id desc`.execute(db)
      const stored = new Map(toStoredRows(newest.rows).map((row, index) => [newest.rows[index]!.id, row]))
      return {
        total: rows.length,
        rows: page.flatMap(({ last, first, number, accounts }) => {
          const row = stored.get(last)
          // The alert was deleted after the groups were read.
          if (!row) return []
          const firstTime = new Date(timestampOf(first)).toISOString()
          return { newest: row, count: Number(number), first: firstTime, accounts: Number(accounts) }
        }),
      }
    },
  }
}
