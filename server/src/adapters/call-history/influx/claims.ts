import { arrivalField, type OwnershipClaim, type Point } from '../../../ports/call-history'
import { groupsIn, rowsIn, type Values } from './response'
import { lineOf } from './line-format'
import { parseNumber } from '../rows'

/** Arrival times of calls that keys wrote. Separate points, because writing a call again would replace its first arrival. */
const measurement = 'trunkline_claims'

const callNames = ['call_sid', 'sip_callid', 'trace_id']

/** The arrival times of these points as lines. Points of the platform have none. */
export const claimLines = (points: readonly Point[]): string[] =>
  points.flatMap(({ tags, fields }) => {
    const arrival = fields[arrivalField]
    if (typeof arrival !== 'number') return []
    const { service_provider_sid = '', account_sid = '' } = tags
    const names = callNames.flatMap((name) => (fields[name] === undefined ? [] : [[name, String(fields[name])]]))
    const point = { tags: { service_provider_sid, account_sid }, fields: Object.fromEntries(names) as Point['fields'] }
    return lineOf(measurement, { ...point, time: BigInt(arrival) * 1000n }) ?? []
  })

const ownersIn = ({ service_provider_sid, account_sid }: Values) => {
  const sidIn = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)
  return { service_provider_sid: sidIn(service_provider_sid), account_sid: sidIn(account_sid) }
}

/** The records of a call that decide on its owner. `runQuery` binds the identifier as `$name`. */
export const claimsIn = async (runQuery: (q: string) => Promise<Values>, column: string): Promise<OwnershipClaim[]> => {
  const where = `where ${column} = $name`
  const counts = `count(${column}) as records, count(${arrivalField}) as arrivals`
  const groups = groupsIn(
    await runQuery(`select ${counts} from cdrs ${where} group by service_provider_sid, account_sid`),
  )
  // If a tenant has more records than arrivals, at least one is from the platform.
  const platformGroups = groups.filter(({ row }) => (parseNumber(row.records) ?? 0) > (parseNumber(row.arrivals) ?? 0))
  if (platformGroups.length > 0) return platformGroups.map(({ tags }) => ({ ...ownersIn(tags), arrival: null }))
  const columns = `${column}, service_provider_sid, account_sid`
  const earliest = rowsIn(await runQuery(`select ${columns} from ${measurement} ${where} order by time limit 1`))
  return earliest.map((row) => ({ ...ownersIn(row), arrival: Date.parse(String(row.time)) }))
}
