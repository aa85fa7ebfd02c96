import type { Actor } from '@trunkline/contract/policy/actor'
import type { CountedKind, RecordCounts } from '@trunkline/contract/shapes/record-counts'
import type { CallHistory, CallSubject, Tenant } from '../../ports/call-history'
import type { CountedRecord } from './repository'

const hourMs = 3_600_000
const countedHours = 24
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
const toSubject = (kind: CountedKind, record: CountedRecord, actor: Actor): CallSubject | undefined => {
  if (kind === 'account') return { tenant: { account_sid: record.sid } }
  const tenant = findTenant(record, actor)
  if (!tenant) return undefined
  return kind === 'voip_carrier' ? { tenant, trunk: record.name } : { tenant, application_sid: record.sid }
}

/** Counts the calls of records, in the order of the records. */
export const countCalls = async (
  callHistory: CallHistory,
  kind: CountedKind,
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
