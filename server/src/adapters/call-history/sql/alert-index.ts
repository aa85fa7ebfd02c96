import { sql } from 'kysely'
import type { Connection } from '../../../db/repository-options'
import { forEachBatch } from '../../sql/batches'
import type { IndexedCall } from './call-block'
import { listOwnerDigests } from './call-index'
import { caseSensitiveDigestOf, digestOf, digestOfTenant, type IdRange } from './time-ids'

/** The columns of an alert from which its index is built. */
export type IndexedAlert = Pick<IndexedCall, 'id' | 'service_provider_sid' | 'account_sid' | 'point'>

/** Rows per statement. */
const batchSize = 250

/** Alerts of one type with the same message have the same digest. The case of a type is ignored, as in the filter by type. */
export const digestOfGroup = (alert_type: string | null | undefined, message: unknown): number =>
  caseSensitiveDigestOf(JSON.stringify([alert_type?.toLowerCase() || null, message ?? null]))

const buildRows = ({ id, service_provider_sid, account_sid, point }: IndexedAlert) => {
  const { alert_type, message } = JSON.parse(point) as { alert_type?: string; message?: unknown }
  const group_digest = digestOfGroup(alert_type, message)
  const type_digest = alert_type ? digestOf(alert_type) : null
  const account_digest = account_sid === null ? null : digestOfTenant({ account_sid })
  return listOwnerDigests({ service_provider_sid, account_sid }).map((owner_digest) => ({
    owner_digest,
    group_digest,
    id,
    type_digest,
    account_digest,
  }))
}

/** Removes the alerts of these owners in a range from the index. The caller must delete all alerts in the range, or add them again. */
export const removeAlertRange = async (
  trx: Connection,
  owners: readonly Pick<IndexedAlert, 'service_provider_sid' | 'account_sid'>[],
  { low, high }: IdRange,
): Promise<void> => {
  await forEachBatch([...new Set(owners.flatMap(listOwnerDigests))], batchSize, (batch) =>
    sql`delete from trunkline_grouped_alerts where owner_digest in (${sql.join(batch)})
      and id between ${low} and ${high}`.execute(trx),
  )
}

/** The index of alerts by group, which is kept in addition to their rows. */
export const alertIndex = {
  /** Adds alerts that are not indexed yet. */
  add: async (trx: Connection, alerts: readonly IndexedAlert[]): Promise<void> => {
    // Sorted, because every process must lock rows in the same order.
    const rows = alerts
      .flatMap(buildRows)
      .toSorted((a, b) => a.owner_digest - b.owner_digest || a.group_digest - b.group_digest || a.id - b.id)
    await forEachBatch(rows, batchSize, (batch) => trx.insertInto('trunkline_grouped_alerts').values(batch).execute())
  },

  /** Removes alerts. They must have their stored values. */
  remove: async (trx: Connection, alerts: readonly IndexedAlert[]): Promise<void> => {
    for (const alert of alerts) await removeAlertRange(trx, [alert], { low: alert.id, high: alert.id })
  },
}
