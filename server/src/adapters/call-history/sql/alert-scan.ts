import { sql } from 'kysely'
import type { AlertListOptions, Tenant } from '../../../ports/call-history'
import type { IndexScan, ScanClauses } from './index-scan'
import { ownerFilter } from './stored-rows'
import { alertKind, idRangeOf } from './time-ids'

/** Fields that a text search covers, besides the alert type. */
const searchedFields = ['message', 'detail', 'vendor']

/** Creates the builders of the query that reads the alerts of a list. `getOldestAt` returns the start of the retention period. */
export const createAlertScanBuilder = ({ pointField }: Pick<ScanClauses, 'pointField'>, getOldestAt: () => number) => {
  const buildTextCondition = (text: string) => {
    const lowerText = text.toLowerCase()
    const conditions = [sql`alert_type`, ...searchedFields.map(pointField)].map(
      (field) => sql`instr(lower(coalesce(${field}, '')), ${lowerText}) > 0`,
    )
    return sql`(${sql.join([...conditions, sql`${pointField('target_sid')} = ${text.trim()}`], sql` or `)})`
  }

  return {
    /** Builds the scan of an index that reads the alerts of a list, without the conditions on their content. */
    buildIndexScan: (tenant: Tenant, { alert_type, ...period }: AlertListOptions): IndexScan => {
      const { indexPrefix, ownerCondition, owner_sid, kindOffset } = ownerFilter(tenant)
      return {
        table: 'trunkline_alerts',
        tenant,
        index: `${indexPrefix}_${alert_type === undefined ? 'idx' : 'type_idx'}`,
        ownerCondition,
        owner_sid,
        idRange: idRangeOf(period, getOldestAt()),
        conditions: alert_type === undefined ? [] : [sql`alert_type = ${alert_type}`],
        kinds: [alertKind + kindOffset],
      }
    },

    /** Builds the conditions on the content of alerts, which no index of their table can answer. */
    buildContentConditions: ({ text, message }: AlertListOptions) => [
      ...(text ? [buildTextCondition(text)] : []),
      ...(message === undefined ? [] : [sql`${pointField('message')} = ${message}`]),
    ],
  }
}

export type AlertScanBuilder = ReturnType<typeof createAlertScanBuilder>
