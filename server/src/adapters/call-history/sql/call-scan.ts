import { sql } from 'kysely'
import type { CallFilter, Tenant } from '../../../ports/call-history'
import type { IndexScan, ScanClauses } from './index-scan'
import { ownerFilter } from './stored-rows'
import { encodePhoneNumber, encodeSearchText, type TextMatcher } from './text-matches'
import { idRangeOf, findMatchingKinds, trunkKindOffset, toTrunkOwnerSid } from './time-ids'

/** Does a filter need call blocks? Without them, all calls would have to be read. */
export const needsBlocks = ({ text, application_sid, number }: CallFilter): boolean =>
  Boolean(text) || application_sid !== undefined || number !== undefined

const lineBreak = Buffer.from('\n')

/** The called number of an inbound call, or the calling number of an outbound one, as call blocks compare them. */
const buildNumberCondition = (number: string) => {
  const comparableNumber = encodePhoneNumber(number)
  const values = sql.join([comparableNumber, Buffer.concat([Buffer.from('+'), comparableNumber])])
  const breakIndex = sql`instr(numbers, ${lineBreak})`
  return sql`((direction = 'inbound' and substr(numbers, ${breakIndex} + 1) in (${values}))
    or (direction = 'outbound' and substr(numbers, 1, ${breakIndex} - 1) in (${values})))`
}

/** Creates a builder of scans of the table of calls. `getOldestAt` returns the start of the retention period. */
export const createCallScanBuilder = (
  { pointField }: ScanClauses,
  getOldestAt: () => number,
  textMatcher: TextMatcher,
) => {
  const addTextCondition = async (scan: IndexScan, text: string): Promise<IndexScan> => {
    const exactMatches = await textMatcher.findExactMatches(scan.tenant, text)
    const trunks = await textMatcher.findTrunks(scan.tenant, text)
    const conditions = [
      sql`instr(numbers, ${encodeSearchText(text)}) > 0`,
      sql`instr(lower(${pointField('termination_reason')}), ${text.toLowerCase()}) > 0`,
      ...(exactMatches.length > 0 ? [sql`id in (${sql.join(exactMatches)})`] : []),
      ...(trunks.length > 0 ? [sql`trunk in (${sql.join(trunks)})`] : []),
    ]
    return { ...scan, conditions: [...scan.conditions, sql`(${sql.join(conditions, sql` or `)})`] }
  }

  return {
    /** Builds a scan with all conditions of the filter except those that call blocks match: see `needsBlocks`. */
    buildScan(tenant: Tenant, filter: CallFilter): IndexScan {
      const { indexPrefix, ownerCondition, owner_sid, kindOffset } = ownerFilter(tenant)
      const { direction, answered, trunk, sip_status } = filter
      return {
        table: 'trunkline_calls',
        tenant,
        index: `${indexPrefix}_${trunk === undefined ? 'idx' : 'trunk_idx'}`,
        ownerCondition,
        owner_sid: trunk === undefined ? owner_sid : toTrunkOwnerSid(owner_sid, trunk),
        idRange: idRangeOf(filter, getOldestAt()),
        conditions: [
          ...(direction === undefined ? [] : [sql`direction = ${direction}`]),
          ...(answered === undefined ? [] : [answered ? sql`answered = 1` : sql`(answered = 0 or answered is null)`]),
          ...(trunk === undefined ? [] : [sql`trunk = ${trunk}`]),
          ...(sip_status === undefined ? [] : [sql`sip_status = ${sip_status}`]),
        ],
        kinds: findMatchingKinds(filter).map((kind) => kind + kindOffset + (trunk === undefined ? 0 : trunkKindOffset)),
        sip_status,
      }
    },

    /** Adds the conditions that call blocks would match. Used while the blocks are still incomplete. */
    async addBlockConditions(scan: IndexScan, { text, application_sid, number }: CallFilter): Promise<IndexScan> {
      const textScan = text ? await addTextCondition(scan, text) : scan
      return {
        ...textScan,
        conditions: [
          ...textScan.conditions,
          ...(application_sid === undefined ? [] : [sql`${pointField('application_sid')} = ${application_sid}`]),
          ...(number === undefined ? [] : [buildNumberCondition(number)]),
        ],
      }
    },
  }
}

export type CallScanBuilder = ReturnType<typeof createCallScanBuilder>
