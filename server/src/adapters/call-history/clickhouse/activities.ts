import type { ActivityPeriods, CallActivity, CallSubject } from '../../../ports/call-history'
import { groupSubjects, type SubjectColumn, type SubjectGroup } from '../group-subjects'
import { toNanoseconds } from './conditions'
import type { ClickHouseConnection } from './connection'
import { recordTables } from './tables'

/** The column as text. As in the filters, the case of trunks is ignored. */
const subjectExpressions: Record<SubjectColumn, string> = {
  service_provider_sid: 'service_provider_sid',
  account_sid: 'account_sid',
  trunk: `lowerUTF8(ifNull(trunk, ''))`,
  application_sid: `ifNull(application_sid, '')`,
}

const toComparable = (column: SubjectColumn, value: string) => (column === 'trunk' ? value.toLowerCase() : value)

/** Creates a function that counts the calls of many subjects with one query for each kind of subject and tenant. */
export const createActivityReader = ({ query, qualify }: ClickHouseConnection, getOldestAt: () => number) => {
  const table = qualify(recordTables.cdrs.name)

  const readGroup = async ({ column, tenant, values }: SubjectGroup, { from, latestFrom }: ActivityPeriods) => {
    const [ownerColumn, ownerSid] = Object.entries(tenant ?? {})[0] ?? []
    const conditions = [
      ...(ownerColumn === undefined ? [] : [`${ownerColumn} = {owner:String}`]),
      `${subjectExpressions[column]} in {subjects:Array(String)}`,
    ].join(' and ')
    const oldestAt = getOldestAt()
    // Counting needs merged rows (`final`). The latest call is searched without merging, because the period is long.
    const { rows } = await query(
      `select subject, sum(calls) as call_count, max(latest_ns) as latest from (
        select ${subjectExpressions[column]} as subject, count() as calls, max(time_ns) as latest_ns
        from ${table} final where ${conditions} and time_ns >= {fromNs:Int64} group by subject
        union all
        select ${subjectExpressions[column]} as subject, toUInt64(0) as calls, max(time_ns) as latest_ns
        from ${table} where ${conditions} and time_ns >= {latestFromNs:Int64} group by subject)
      group by subject`,
      {
        ...(ownerSid === undefined ? {} : { owner: ownerSid }),
        subjects: values.map(({ value }) => toComparable(column, value)),
        fromNs: toNanoseconds(Math.max(from, oldestAt)),
        latestFromNs: toNanoseconds(Math.max(latestFrom, oldestAt)),
      },
    )
    return new Map(
      rows.map((row): [string, CallActivity] => [
        String(row.subject),
        { callCount: Number(row.call_count), latestCallAt: Number(BigInt(String(row.latest)) / 1_000_000n) },
      ]),
    )
  }

  return async (subjects: readonly CallSubject[], periods: ActivityPeriods): Promise<CallActivity[]> => {
    const activities = subjects.map((): CallActivity => ({ callCount: 0, latestCallAt: null }))
    await Promise.all(
      groupSubjects(subjects).map(async (group) => {
        const activityByValue = await readGroup(group, periods)
        for (const { value, position } of group.values) {
          const activity = activityByValue.get(toComparable(group.column, value))
          if (activity) activities[position] = activity
        }
      }),
    )
    return activities
  }
}
