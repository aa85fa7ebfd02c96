import { sql } from 'kysely'
import type { Database } from '../../../db/database'
import type { Tenant } from '../../../ports/call-history'
import { createAdaptiveBatchSize, createTurnQueue } from '../../sql/time-slices'
import { encodeApplicationCode, encodeTrunkCode, type BlockFilter, type CallBlock } from './call-block'
import { hourOf, digestOfTenant } from './time-ids'

/**
 * The numbers of blocks that one statement reads, matching or not. SQLite reads them in this thread and blocks all other requests meanwhile;
 * MySQL only has to stay well below its statement timeout.
 */
const batchLimits = {
  sqlite: { targetMs: 3, initialRows: 200, minRows: 50, maxRows: 4000 },
  mysql: { targetMs: 200, initialRows: 4000, minRows: 1000, maxRows: 20_000 },
}

/** With more matching trunks than this, the statement returns all blocks instead of testing each trunk. */
const maxTrunkConditions = 8

interface BlockRow {
  hour: number
  part: number
  calls: CallBlock
}

/** A scanned block; `calls` is null if no call in it can match. */
type ScannedRow = Omit<BlockRow, 'calls'> & { calls: CallBlock | null }

const mayMatch = (row: ScannedRow): row is BlockRow => row.calls !== null

const buildContainsCondition = (bytes: Buffer) => sql`instr(calls, ${bytes}) > 0`

/** Builds a condition for blocks that may contain a match; empty if every block may. */
const buildBlockCondition = ({ text, ids, trunks = new Set(), application, phoneNumber }: BlockFilter) => {
  const hours = [...new Set([...ids].map(hourOf))]
  const textConditions =
    text === '' || trunks.size > maxTrunkConditions
      ? []
      : [
          buildContainsCondition(Buffer.from(text, 'latin1')),
          ...[...trunks].map((code) => buildContainsCondition(encodeTrunkCode(code))),
          ...(hours.length > 0 ? [sql`hour in (${sql.join(hours)})`] : []),
        ]
  const conditions = [
    ...(textConditions.length > 0 ? [sql`(${sql.join(textConditions, sql` or `)})`] : []),
    ...(application === undefined ? [] : [buildContainsCondition(encodeApplicationCode(application))]),
    ...(phoneNumber === undefined ? [] : [buildContainsCondition(Buffer.from(phoneNumber, 'latin1'))]),
  ]
  return conditions.length > 0 ? sql`and ${sql.join(conditions, sql` and `)}` : sql``
}

/** Creates a reader of an owner's blocks that may contain matches. */
export const createSqlBlockReader = ({ db, engine }: Pick<Database, 'db' | 'engine'>) => {
  const waitForTurn = createTurnQueue()

  /** Yields blocks in batches, newest first. */
  const readBlocks = async function* (tenant: Tenant, filter: BlockFilter): AsyncGenerator<BlockRow[]> {
    const { low, high } = filter
    const condition = buildBlockCondition(filter)
    let keyRange = sql`hour <= ${hourOf(high)}`
    const batchSize = createAdaptiveBatchSize(batchLimits[engine])
    for (;;) {
      await waitForTurn()
      const startedAt = performance.now()
      const limit = batchSize.current()
      const { rows } = await sql<ScannedRow>`select hour, part, case when 1 = 1 ${condition} then calls end as calls
        from trunkline_packed_calls where owner_digest = ${digestOfTenant(tenant)} and hour >= ${hourOf(low)} and ${keyRange}
        order by hour desc, part desc limit ${limit}`.execute(db)
      yield rows.filter(mayMatch)
      batchSize.adjust(performance.now() - startedAt)
      const lastRow = rows.at(-1)
      if (!lastRow || rows.length < limit) return
      // Both engines can continue in key order with this condition.
      keyRange = sql`hour <= ${lastRow.hour} and (hour < ${lastRow.hour} or part < ${lastRow.part})`
    }
  }

  /** Yields the blocks of each hour, newest first. The first result is always empty. */
  const readHours = async function* (
    tenant: Tenant,
    filter: BlockFilter,
  ): AsyncGenerator<{ hour: number; blocks: CallBlock[] }> {
    let currentHour = { hour: 0, blocks: [] as CallBlock[] }
    for await (const rows of readBlocks(tenant, filter))
      for (const { hour, calls } of rows)
        if (hour === currentHour.hour) currentHour.blocks.push(calls)
        else {
          yield currentHour
          currentHour = { hour, blocks: [calls] }
        }
    yield currentHour
  }

  return { readBlocks, readHours }
}
