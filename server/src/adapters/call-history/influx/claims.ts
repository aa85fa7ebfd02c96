import { arrivalField, type OwnershipClaim, type Point } from '../../../ports/call-history'
import { parseNumber } from '../rows'
import { formatLine } from './line-format'
import { readGroups, readRows, type Values } from './response'

/**
 * The measurement with the arrival times of calls that were written with an API key. They are separate points, because writing
 * a call again would replace its first arrival time.
 */
const claimMeasurement = 'trunkline_claims'

const callIdentifierFields = ['call_sid', 'sip_callid', 'trace_id']

/** Formats the arrival times of points as lines. Points of the platform have no arrival time. */
export const formatClaimLines = (points: readonly Point[]): string[] =>
  points.flatMap(({ tags, fields }) => {
    const arrivalUs = fields[arrivalField]
    if (typeof arrivalUs !== 'number') return []
    const { service_provider_sid = '', account_sid = '' } = tags
    const identifiers = callIdentifierFields.flatMap((name): [string, string][] =>
      fields[name] === undefined ? [] : [[name, String(fields[name])]],
    )
    const claim: Point = {
      tags: { service_provider_sid, account_sid },
      fields: Object.fromEntries(identifiers),
      timeNs: BigInt(arrivalUs) * 1000n,
    }
    return formatLine(claimMeasurement, claim) ?? []
  })

const toOwner = ({ service_provider_sid, account_sid }: Values) => {
  const toSid = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  return { service_provider_sid: toSid(service_provider_sid), account_sid: toSid(account_sid) }
}

/** Reads the records that decide who owns a call. `runQuery` binds the call's identifier as `$name`. */
export const readClaims = async (
  runQuery: (query: string) => Promise<Values>,
  column: string,
): Promise<OwnershipClaim[]> => {
  const where = `where ${column} = $name`
  const counts = `count(${column}) as records, count(${arrivalField}) as arrivals`
  const groups = readGroups(
    await runQuery(`select ${counts} from cdrs ${where} group by service_provider_sid, account_sid`),
  )
  // If a tenant has more records than arrivals, at least one is from the platform.
  const platformGroups = groups.filter(({ row }) => (parseNumber(row.records) ?? 0) > (parseNumber(row.arrivals) ?? 0))
  if (platformGroups.length > 0) return platformGroups.map(({ tags }) => ({ ...toOwner(tags), arrival: null }))
  const columns = `${column}, service_provider_sid, account_sid`
  const firstRows = readRows(
    await runQuery(`select ${columns} from ${claimMeasurement} ${where} order by time limit 1`),
  )
  return firstRows.map((row) => ({ ...toOwner(row), arrival: Date.parse(String(row.time)) }))
}
