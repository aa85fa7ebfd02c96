import { sql } from 'kysely'
import type { Database } from '../../../db/database'
import type { Tenant } from '../../../ports/call-history'
import { toComparableNumber } from '../comparable-number'
import { ownerFilter } from './stored-rows'
import { digestOf } from './time-ids'

/** The number of trunks of an owner that a text search considers, in the order of their names. */
const maxTrunks = 200
/** The number of calls that a text search considers per identifier. */
const maxExactMatches = 50

/** Encodes a text in lower case as UTF-8. */
export const encodeSearchText = (text: string): Buffer => Buffer.from(text.toLowerCase())

/** Encodes a phone number in the form in which numbers are compared. */
export const encodePhoneNumber = (number: string): Buffer => encodeSearchText(toComparableNumber(number))

/** Creates functions that find calls and trunks by a search text, with index lookups only. */
export const createSqlTextMatcher = ({ db }: Pick<Database, 'db'>) => ({
  /** Returns the ids of calls whose SID or Call-ID is the text. */
  async findExactMatches(tenant: Tenant, text: string): Promise<number[]> {
    const digest = digestOf(text.trim())
    const selectByDigest = (column: string) => sql`select * from (select id from trunkline_calls
      where ${sql.ref(column)} = ${digest} and ${ownerFilter(tenant).ownerCondition} limit ${maxExactMatches}) ${sql.ref(`by_${column}`)}`
    const { rows } = await sql<{
      id: number
    }>`${selectByDigest('call_sid_digest')} union ${selectByDigest('sip_callid_digest')}`.execute(db)
    return rows.map(({ id }) => id)
  },

  /** Returns the trunks with names that contain the text. Each name costs one index lookup; no calls are read. */
  async findTrunks(tenant: Tenant, text: string): Promise<string[]> {
    const { ownerCondition } = ownerFilter(tenant)
    const lowerText = text.toLowerCase()
    const matchingTrunks: string[] = []
    let trunk = ''
    for (let lookupCount = 0; lookupCount < maxTrunks; lookupCount += 1) {
      const { rows } = await sql<{ trunk: string }>`select trunk from trunkline_calls
        where ${ownerCondition} and trunk > ${trunk} order by trunk limit 1`.execute(db)
      if (!rows[0]) break
      trunk = rows[0].trunk
      if (trunk.toLowerCase().includes(lowerText)) matchingTrunks.push(trunk)
    }
    return matchingTrunks
  },
})

export type TextMatcher = ReturnType<typeof createSqlTextMatcher>
