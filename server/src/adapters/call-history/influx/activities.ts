import {
  TooManyRecordsError,
  type ActivityPeriods,
  type CallActivity,
  type CallSubject,
} from '../../../ports/call-history'
import { groupSubjects, type SubjectGroup } from '../group-subjects'
import type { InfluxConnection } from './connection'
import { buildOwnerConditions, toNanoseconds, type QueryConditions } from './query-conditions'
import type { InfluxReader } from './reader'
import { readGroups, type Values } from './response'

const toTimestamp = ({ time }: Values): number => Date.parse(String(time))

/** Selects the calls of a group of subjects, which a tag names. */
const buildTagConditions = ({ column, tenant, values }: SubjectGroup, from: number): QueryConditions => {
  const owner = tenant ? buildOwnerConditions(tenant) : { where: [], params: {} }
  return {
    where: [
      ...owner.where,
      `(${values.map((_, index) => `${column} = $subject${index}`).join(' or ')})`,
      `time >= ${toNanoseconds(Math.ceil(from))}`,
    ],
    params: {
      ...owner.params,
      ...Object.fromEntries(values.map(({ value }, index) => [`subject${index}`, value])),
    },
  }
}

interface ActivityReaderOptions {
  connection: InfluxConnection
  reader: InfluxReader
  /** At least one of these fields exists in every call. */
  identifyingFields: readonly string[]
}

/** Creates a function that counts the calls of many subjects: with two queries for each kind of subject and tenant. */
export const createActivityReader = ({ connection, reader, identifyingFields }: ActivityReaderOptions) => {
  /** Reads the calls of each value of a tag. The result has one record for each value with calls. */
  const readTags = async (select: string, group: SubjectGroup, from: number, limit = '') => {
    const { where, params } = buildTagConditions(group, from)
    const query = `select ${select} from cdrs where ${where.join(' and ')} group by ${group.column} ${limit}`
    const groups = readGroups(await connection.runQuery('cdrs', query, params))
    return new Map(groups.map(({ tags, row }) => [String(tags[group.column]), row]))
  }

  /** InfluxDB counts the values of a field, not records, so the greatest count is that of the records. */
  const readTagActivities = async (group: SubjectGroup, { from, latestFrom }: ActivityPeriods) => {
    const counts = identifyingFields.map((field, index) => `count(${field}) as n${index}`)
    const [countRows, latestRows] = await Promise.all([
      readTags(counts.join(', '), group, from),
      readTags(identifyingFields.join(', '), group, latestFrom, 'order by time desc limit 1'),
    ])
    return group.values.map(({ value }): CallActivity => {
      const countRow = countRows.get(value)
      const latestRow = latestRows.get(value)
      return {
        callCount: Math.max(0, ...identifyingFields.map((_, index) => Number(countRow?.[`n${index}`]) || 0)),
        latestCallAt: latestRow ? toTimestamp(latestRow) : null,
      }
    })
  }

  /**
   * InfluxDB can only group by tags, so the calls of the shorter period are read one by one. All calls of the tenant are read,
   * because a condition for many values of a field takes longer than the calls that it leaves out.
   */
  const readApplicationActivities = async ({ tenant, values }: SubjectGroup, { from }: ActivityPeriods) => {
    const counts = new Map<unknown, { callCount: number; latestCallAt: number }>()
    const calls = tenant
      ? await reader.readAll('cdrs', ['application_sid'], buildOwnerConditions(tenant, { from }))
      : []
    for (const call of calls) {
      const count = counts.get(call.application_sid)
      counts.set(call.application_sid, {
        callCount: (count?.callCount ?? 0) + 1,
        latestCallAt: Math.max(count?.latestCallAt ?? 0, toTimestamp(call)),
      })
    }
    return values.map(({ value }): CallActivity => counts.get(value) ?? { callCount: 0, latestCallAt: undefined })
  }

  const readGroup = async (group: SubjectGroup, periods: ActivityPeriods): Promise<CallActivity[]> => {
    if (group.column !== 'application_sid') return readTagActivities(group, periods)
    try {
      return await readApplicationActivities(group, periods)
    } catch (error) {
      if (!(error instanceof TooManyRecordsError)) throw error
      return group.values.map(() => ({ callCount: undefined, latestCallAt: undefined }))
    }
  }

  return async (subjects: readonly CallSubject[], periods: ActivityPeriods): Promise<CallActivity[]> => {
    const activities = subjects.map((): CallActivity => ({ callCount: undefined, latestCallAt: undefined }))
    await Promise.all(
      groupSubjects(subjects).map(async (group) => {
        for (const [index, activity] of (await readGroup(group, periods)).entries())
          activities[group.values[index]!.position] = activity
      }),
    )
    return activities
  }
}
