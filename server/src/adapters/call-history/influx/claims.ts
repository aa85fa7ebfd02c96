import { arrivalField, type OwnershipClaim, type Point } from '../../../ports/call-history'
import { groupsIn, rowsIn, type Values } from './response'
import { lineOf } from './line-format'
import { parseNumber } from '../rows'

/** When calls of keys arrived: points of their own, because a call that is written again would replace its first arrival. */
const measurement = 'trunkline_claims'

const callNames = ['call_sid', 'sip_callid', 'trace_id']

/** The arrivals of these points, as lines. Points of the platform have none. */
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

/** The records with a name of a call that decide about its owner. `ask` binds the name as `$name`. */
export const claimsIn = async (ask: (q: string) => Promise<Values>, column: string): Promise<OwnershipClaim[]> => {
  const where = `where ${column} = $name`
  const counts = `count(${column}) as records, count(${arrivalField}) as arrivals`
  const groups = groupsIn(await ask(`select ${counts} from cdrs ${where} group by service_provider_sid, account_sid`))
  // an owner with more records than arrivals has one of the platform
  const platforms = groups.filter(({ row }) => (parseNumber(row.records) ?? 0) > (parseNumber(row.arrivals) ?? 0))
  if (platforms.length > 0) return platforms.map(({ tags }) => ({ ...ownersIn(tags), arrival: null }))
  const columns = `${column}, service_provider_sid, account_sid`
  const first = rowsIn(await ask(`select ${columns} from ${measurement} ${where} order by time limit 1`))
  return first.map((row) => ({ ...ownersIn(row), arrival: Date.parse(String(row.time)) }))
}
