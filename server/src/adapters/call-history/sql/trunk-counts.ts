import { sql } from 'kysely'
import type { Database } from '../../../db/database'
import { TooManyRecordsError, type Tenant, type TrunkCount } from '../../../ports/call-history'
import { createTurnQueue } from '../../sql/time-slices'
import type { CallScanBuilder } from './call-scan'
import type { ScanClauses } from './index-scan'
import { ownerFilter } from './stored-rows'
import type { TextMatcher } from './text-matches'
import { findMatchingKinds, idsPerHour, isAnswered, toTrunkOwnerSid, trunkKindOffset } from './time-ids'

/** Trunks per statement. Each has some rows per hour, and SQLite reads them in this thread. */
const batchSize = 20
/** The maximum number of calls that are read one by one while the counts of their trunks are incomplete. */
const maxReadRows = 5000
const hourMs = 3_600_000

interface CountRow {
  owner_sid: string
  hour: number
  kind: number
  sip_status: number
  number: number | string
}

interface ScanRow {
  trunk: string
  hour: number
  answered: number | null
  sip_status: number
  number: number | string
}

interface TrunkCounterOptions {
  database: Pick<Database, 'db' | 'engine'>
  clauses: ScanClauses
  scanBuilder: CallScanBuilder
  textMatcher: TextMatcher
  /** Are all calls in the counts of their trunk? */
  isIndexed: () => Promise<boolean>
}

/** Creates a function that counts the outbound calls of each trunk and hour, from hour counts where possible. */
export const createSqlTrunkCounter = ({
  database: { db, engine },
  clauses: { tableWithIndex, whereCondition },
  scanBuilder,
  textMatcher,
  isIndexed,
}: TrunkCounterOptions) => {
  const waitForTurn = createTurnQueue()

  const countRows = async (tenant: Tenant, firstHour: number): Promise<TrunkCount[]> => {
    const scan = scanBuilder.buildScan(tenant, { direction: 'outbound', from: firstHour * hourMs })
    const hour = engine === 'sqlite' ? sql`id / ${sql.lit(idsPerHour)}` : sql`id div ${sql.lit(idsPerHour)}`
    const { rows } = await sql<ScanRow>`select trunk, hour, answered, sip_status, count(*) as number from (
        select trunk, ${hour} as hour, answered, sip_status from ${tableWithIndex(scan)}
        where ${whereCondition(scan)} limit ${maxReadRows + 1}) c
      group by trunk, hour, answered, sip_status`.execute(db)
    if (rows.reduce((sum, { number }) => sum + Number(number), 0) > maxReadRows) throw new TooManyRecordsError()
    return rows
      .filter(({ trunk }) => trunk)
      .map(({ number, answered, ...row }) => ({
        ...row,
        hour: Number(row.hour),
        answered: answered === 1,
        callCount: Number(number),
      }))
  }

  const countHours = async (tenant: Tenant, firstHour: number): Promise<TrunkCount[]> => {
    const { owner_sid, kindOffset } = ownerFilter(tenant)
    const kinds = findMatchingKinds({ direction: 'outbound' }).map((kind) => kind + kindOffset + trunkKindOffset)
    const trunks = await textMatcher.findTrunks(tenant, '')
    const trunkByOwnerSid = new Map(trunks.map((name) => [toTrunkOwnerSid(owner_sid, name), name]))
    const ownerSids = [...trunkByOwnerSid.keys()]
    const counts: TrunkCount[] = []
    for (let start = 0; start < ownerSids.length; start += batchSize) {
      await waitForTurn()
      const { rows } = await sql<CountRow>`select owner_sid, hour, kind, sip_status, number from trunkline_hour_counts
        where owner_sid in (${sql.join(ownerSids.slice(start, start + batchSize))}) and hour >= ${firstHour}
          and kind in (${sql.join(kinds)}) and number > 0`.execute(db)
      for (const { owner_sid: ownerSid, hour, kind, sip_status, number } of rows)
        counts.push({
          trunk: trunkByOwnerSid.get(ownerSid.toLowerCase()) ?? '',
          hour,
          answered: isAnswered(kind),
          sip_status,
          callCount: Number(number),
        })
    }
    return counts
  }

  return async (tenant: Tenant, firstHour: number): Promise<TrunkCount[]> =>
    (await isIndexed()) ? countHours(tenant, firstHour) : countRows(tenant, firstHour)
}
