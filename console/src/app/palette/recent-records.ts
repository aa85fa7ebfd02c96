import type { Actor } from '@trunkline/contract/policy/actor'
import type { Kind } from '@trunkline/contract/policy/policy'
import { localValues } from '../../lib/storage'

/** A record whose page or form the user has opened. */
export interface RecentRecord {
  kind: Kind
  sid: string
  name: string
  /** The service provider that was current. Records of another one are not offered. */
  provider: string
}

/** Number of records to remember for a user. */
const maxRecords = 24
/** Number of records that the palette shows. */
const maxShownRecords = 5

const isRecentRecord = (value: unknown): value is RecentRecord => {
  if (typeof value !== 'object' || value === null) return false
  const { kind, sid, name, provider } = value as Record<string, unknown>
  return [kind, sid, name, provider].every((text) => typeof text === 'string' && text !== '')
}

/** Anything in the storage that is not the list of this user counts as none. */
const readRecords = ({ user_sid = '' }: Actor): RecentRecord[] => {
  try {
    const stored = JSON.parse(localValues.recentRecords.get() ?? 'null') as { user?: unknown; records?: unknown } | null
    return stored?.user === user_sid && Array.isArray(stored.records) ? stored.records.filter(isRecentRecord) : []
  } catch {
    return []
  }
}

const writeRecords = ({ user_sid = '' }: Actor, records: readonly RecentRecord[]) =>
  localValues.recentRecords.set(JSON.stringify({ user: user_sid, records: records.slice(0, maxRecords) }))

const isOther = (record: RecentRecord) => (other: RecentRecord) =>
  other.kind !== record.kind || other.sid !== record.sid

/** Puts a record at the start of the user's list. The list ends with the session, because it contains names. */
export const rememberRecord = (actor: Actor, record: RecentRecord): void =>
  writeRecords(actor, [record, ...readRecords(actor).filter(isOther(record))])

/** The records of a provider that the user has opened last, without the one in view. */
export const getRecentRecords = (actor: Actor, provider: string, currentSid: string | undefined): RecentRecord[] =>
  readRecords(actor)
    .filter((record) => record.provider === provider && record.sid !== currentSid)
    .slice(0, maxShownRecords)

/** The name of a record that the user has opened, also before the page was loaded again. */
export const findRecentName = (actor: Actor, kind: string, sid: string): string | undefined =>
  readRecords(actor).find((record) => record.kind === kind && record.sid === sid)?.name
