import { createHash } from 'node:crypto'
import { arrivalField, type CallIdentifier, type OwnershipClaim, type Tenant } from '../../../ports/call-history'
import { buildOwnerConditions, type CallKey } from './conditions'
import type { ClickHouseConnection, Values } from './connection'
import { identifierTable, platformArrival, recordTables, selectedColumnsOf } from './tables'

const identifierNames = ['call_sid', 'sip_callid', 'trace_id']

/** The maximum number of records of one tenant that are read to find the newest one with an identifier. */
const maxCandidates = 20

/** The number of calls that a text search considers per identifier. */
const maxExactMatches = 50

/** Returns a digest of 128 bits, so that nobody can find another identifier with the same one. It is stored as a UUID. */
const digestIdentifier = (name: string, value: string): string =>
  createHash('sha256').update(`${name} ${value}`).digest('hex').slice(0, 32)

/** The arrival time of a point; see `platformArrival`. */
export const arrivalOf = (fields: Readonly<Values>): string => {
  const arrivalUs = fields[arrivalField]
  return typeof arrivalUs === 'number' ? String(Math.trunc(arrivalUs)) : platformArrival
}

/** Returns a row of the identifier table for each identifier of a call. `row`: the row of the call. */
export const toIdentifierRows = (row: Values, arrival: string): Values[] => {
  const { service_provider_sid, account_sid, time_ns } = row
  return identifierNames.flatMap((name) =>
    typeof row[name] === 'string'
      ? [{ identifier: digestIdentifier(name, row[name]), service_provider_sid, account_sid, time_ns, arrival }]
      : [],
  )
}

/** Whether a row has an identifier. */
export const hasIdentifier = (row: Values): boolean => identifierNames.some((name) => typeof row[name] === 'string')

/** Finds calls by their identifiers. `getOldestAt` returns the start of the retention period. */
export const createIdentifierReader = ({ query, qualify }: ClickHouseConnection, getOldestAt: () => number) => ({
  async findCall(tenant: Tenant, identifier: CallIdentifier): Promise<Values | undefined> {
    const [name, value] = Object.entries(identifier)[0] as [string, string]
    const { where, params } = buildOwnerConditions(tenant, {}, getOldestAt())
    const table = recordTables.cdrs
    const { rows } = await query(
      `select ${selectedColumnsOf(table)} from ${qualify(table.name)} final
      where (service_provider_sid, account_sid, time_ns) in (
        select service_provider_sid, account_sid, time_ns from ${qualify(identifierTable)}
        where identifier = {digest:UUID} and ${where.join(' and ')} order by time_ns desc limit ${maxCandidates})
      and ${name} = {value:String} order by time_ns desc, call_key desc limit 1`,
      { ...params, digest: digestIdentifier(name, value), value },
    )
    return rows[0]
  },

  /** Finds the calls of a tenant whose SID or Call-ID is this text. */
  async findKeys(tenant: Tenant, text: string): Promise<CallKey[]> {
    const { where, params } = buildOwnerConditions(tenant, {}, getOldestAt())
    const { rows } = await query(
      `select time_ns, call_key from ${qualify(recordTables.cdrs.name)} final
      where (service_provider_sid, account_sid, time_ns) in (
        select service_provider_sid, account_sid, time_ns from ${qualify(identifierTable)}
        where identifier in ({sidDigest:UUID}, {callIdDigest:UUID}) and ${where.join(' and ')} limit ${maxExactMatches})
      and (call_sid = {value:String} or sip_callid = {value:String}) limit ${maxExactMatches}`,
      {
        ...params,
        sidDigest: digestIdentifier('call_sid', text),
        callIdDigest: digestIdentifier('sip_callid', text),
        value: text,
      },
    )
    return rows.map(({ time_ns, call_key }) => ({
      timeNs: BigInt(String(time_ns)),
      callKey: BigInt(String(call_key)),
    }))
  },

  /** Reads the records that decide who owns a call, grouped by owner. */
  async readClaims(identifier: CallIdentifier): Promise<OwnershipClaim[]> {
    const [name, value] = Object.entries(identifier)[0] as [string, string]
    const { rows } = await query(
      `select service_provider_sid, account_sid, min(arrival) as first_arrival from ${qualify(identifierTable)}
      where identifier = {digest:UUID} and time_ns >= {startNs:Int64} group by service_provider_sid, account_sid`,
      { digest: digestIdentifier(name, value), startNs: BigInt(Math.ceil(getOldestAt())) * 1_000_000n },
    )
    return rows.map(({ service_provider_sid, account_sid, first_arrival }) => ({
      service_provider_sid: service_provider_sid === '' ? null : String(service_provider_sid),
      account_sid: account_sid === '' ? null : String(account_sid),
      arrival: first_arrival === platformArrival ? null : Number(first_arrival),
    }))
  },
})
