import type { Actor } from '@trunkline/contract/policy/actor'
import type { CountedKind, RecordCounts } from '@trunkline/contract/shapes/record-counts'
import type { CallHistory, CallSubject, Tenant } from '../../ports/call-history'
import type { CountedRecord, NumberOwnerKind } from './repository'

const hourMs = 3_600_000
const countedHours = 24
const countedDaysOfNumbers = 7
/** The latest call is searched in this period, because a search without a limit may be slow. */
const latestCallDays = 30

const findTenant = ({ service_provider_sid }: CountedRecord, actor: Actor): Tenant | undefined => {
  if (actor.scope === 'account') return { account_sid: actor.account_sid }
  return service_provider_sid === null ? undefined : { service_provider_sid }
}

/**
 * The calls that the list of calls shows for a record. Call records name the carrier and not its SID, so they are selected by
 * its name, among the calls of the actor's tenant.
 */
const toSubject = (kind: NumberOwnerKind, record: CountedRecord, actor: Actor): CallSubject | undefined => {
  if (kind === 'account') return { tenant: { account_sid: record.sid } }
  const tenant = findTenant(record, actor)
  if (!tenant) return undefined
  return kind === 'voip_carrier' ? { tenant, trunk: record.name } : { tenant, application_sid: record.sid }
}

/** Counts the calls of the last day of records, in the order of the records. */
const countCallsOfDay = async (
  callHistory: CallHistory,
  kind: NumberOwnerKind,
  records: readonly CountedRecord[],
  actor: Actor,
): Promise<RecordCounts[string][]> => {
  const now = Date.now()
  const counts = records.map((): RecordCounts[string] => ({}))
  const entries = records.flatMap((record, index) => {
    const subject = toSubject(kind, record, actor)
    return subject ? [{ index, subject }] : []
  })
  const activities = await callHistory.listActivities(
    entries.map(({ subject }) => subject),
    { from: now - countedHours * hourMs, latestFrom: now - latestCallDays * 24 * hourMs },
  )
  for (const [entryIndex, { callCount, latestCallAt }] of activities.entries())
    counts[entries[entryIndex]!.index] = {
      ...(callCount === undefined ? {} : { calls_24h: callCount }),
      ...(latestCallAt === undefined
        ? {}
        : { last_call_at: latestCallAt === null ? null : new Date(latestCallAt).toISOString() }),
    }
  return counts
}

const groupByTenant = (records: readonly CountedRecord[], actor: Actor) => {
  const groups = new Map<string, { tenant: Tenant; records: CountedRecord[] }>()
  for (const record of records) {
    const tenant = findTenant(record, actor)
    if (!tenant) continue
    const key = JSON.stringify(tenant)
    const group = groups.get(key) ?? { tenant, records: [] }
    group.records.push(record)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Counts the calls of phone numbers among those of the actor's tenant, in the order of the numbers. */
const countCallsOfNumbers = async (
  callHistory: CallHistory,
  records: readonly CountedRecord[],
  actor: Actor,
): Promise<RecordCounts[string][]> => {
  const from = Date.now() - countedDaysOfNumbers * 24 * hourMs
  const countsBySid = new Map<string, RecordCounts[string]>()
  const countGroup = async (group: { tenant: Tenant; records: CountedRecord[] }) => {
    const numbers = group.records.map(({ name }) => name)
    for (const [index, calls_7d] of (await callHistory.countByNumber(group.tenant, numbers, from)).entries())
      countsBySid.set(group.records[index]!.sid, { calls_7d })
  }
  await Promise.all(groupByTenant(records, actor).map(countGroup))
  return records.map(({ sid }) => countsBySid.get(sid) ?? {})
}

/** Counts the calls of records, in the order of the records. */
export const countCalls = (
  callHistory: CallHistory,
  kind: CountedKind,
  records: readonly CountedRecord[],
  actor: Actor,
): Promise<RecordCounts[string][]> =>
  kind === 'phone_number'
    ? countCallsOfNumbers(callHistory, records, actor)
    : countCallsOfDay(callHistory, kind, records, actor)
