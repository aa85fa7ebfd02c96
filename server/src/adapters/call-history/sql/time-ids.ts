import { createHash } from 'node:crypto'
import type { CallListOptions, Tenant, EventListOptions } from '../../../ports/call-history'

/** Ids of calls and alerts start with their time in milliseconds, so that rows are sorted by time. */
export const idsPerMs = 1024
export const idsPerHour = 3_600_000 * idsPerMs

/** The greatest id; times end in the year 2248. */
export const maxId = Number.MAX_SAFE_INTEGER
export const timestampOf = (id: number) => Math.floor(id / idsPerMs)
export const hourOf = (id: number) => Math.floor(id / idsPerHour)
export const firstIdOfHour = (hour: number) => hour * idsPerHour
export const firstIdAt = (timestamp: number) => Math.min(maxId, Math.max(0, Math.ceil(timestamp)) * idsPerMs)
const lastIdAt = (timestamp: number) => Math.min(maxId, Math.floor(timestamp) * idsPerMs + idsPerMs - 1)

/** Returns a 52-bit digest of a text. Different texts may have the same digest. */
export const caseSensitiveDigestOf = (text: string): number =>
  parseInt(createHash('sha256').update(text).digest('hex').slice(0, 13), 16)

/** Returns the digest of a name, ignoring case. */
export const digestOf = (name: string): number => caseSensitiveDigestOf(name.toLowerCase())

/** Converts a tenant to a number. A provider and an account have different digests, even with equal SIDs. */
export const digestOfTenant = (tenant: Tenant): number =>
  digestOf('account_sid' in tenant ? `account ${tenant.account_sid}` : `provider ${tenant.service_provider_sid}`)

/** The preferred id of a point, and the first id of its millisecond. */
export interface IdPreference {
  preferredId: number
  firstIdInMs: number
}

export const computeIdPreference = (timeNs: bigint, dedupeKey: string): IdPreference => {
  const firstIdInMs = Number(timeNs / 1_000_000n) * idsPerMs
  const remainderNs = Number(timeNs % 1_000_000n)
  // Points without sub-millisecond time are spread by their dedupe key, so that they do not all prefer the first id.
  const slot =
    remainderNs > 0
      ? Math.floor((remainderNs * idsPerMs) / 1_000_000)
      : (dedupeKey.charCodeAt(20) * 64 + dedupeKey.charCodeAt(21)) % idsPerMs
  return { preferredId: firstIdInMs + slot, firstIdInMs }
}

/** Finds the preferred id or the next free one of the same millisecond; undefined if all 1024 are used. */
export const findFreeId = (
  { preferredId, firstIdInMs }: IdPreference,
  usedIds: ReadonlySet<number>,
): number | undefined => {
  for (let step = 0; step < idsPerMs; step += 1) {
    const id = firstIdInMs + ((preferredId - firstIdInMs + step) % idsPerMs)
    if (!usedIds.has(id)) return id
  }
  return undefined
}

export const lastIdOfMs = (firstIdInMs: number): number => firstIdInMs + idsPerMs - 1
export const firstIdOfNextMs = (firstIdInMs: number): number => firstIdInMs + idsPerMs
export const firstIdOfMs = (id: number): number => timestampOf(id) * idsPerMs

/** A range of ids, both ends included. */
export interface IdRange {
  low: number
  high: number
}

/** Converts a time range to ids. `oldestAt`: the start of the retention period, in milliseconds since 1970. */
export const idRangeOf = ({ from, to }: Pick<EventListOptions, 'from' | 'to'>, oldestAt: number): IdRange => ({
  low: firstIdAt(Math.max(from ?? 0, oldestAt)),
  high: to === undefined ? maxId : lastIdAt(to),
})

/** Full hours since 1970; `endHour` is excluded. */
export interface HourRange {
  firstHour: number
  endHour: number
}

/** Splits a range into full hours and the partial hours at both ends (`edges`, the later one first). */
export const splitHours = ({ low, high }: IdRange): { edges: IdRange[]; hours: HourRange | undefined } => {
  const firstHour = Math.ceil(low / idsPerHour)
  const endHour = high === maxId ? hourOf(maxId) + 1 : hourOf(high + 1)
  if (firstHour >= endHour) return { edges: high < low ? [] : [{ low, high }], hours: undefined }
  const beforeHours = { low, high: firstIdOfHour(firstHour) - 1 }
  const afterHours = high === maxId ? { low: 1, high: 0 } : { low: firstIdOfHour(endHour), high }
  return { edges: [afterHours, beforeHours].filter((edge) => edge.low <= edge.high), hours: { firstHour, endHour } }
}

const directions = [undefined, 'inbound', 'outbound']
const answeredValues = [undefined, false, true]

/** Returns the kind under which hour counts include a call: its direction and whether it was answered, as one number. */
export const toCallKind = (direction: string | undefined, answered: boolean | undefined): number =>
  Math.max(0, directions.indexOf(direction)) * answeredValues.length + Math.max(0, answeredValues.indexOf(answered))

/** The kind under which alerts are counted. */
export const alertKind = directions.length * answeredValues.length

/** Added to kinds that are counted for a provider, so that its SID cannot collide with an account's. */
export const providerKindOffset = alertKind + 1

/** Added to kinds that are counted per trunk. */
export const trunkKindOffset = 2 * providerKindOffset

/** Returns the owner under which calls of a trunk are counted. Trunk names ignore case, as in the filter by trunk. */
export const toTrunkOwnerSid = (owner_sid: string, trunk: string): string =>
  digestOf(`${owner_sid} ${trunk}`).toString(16)

/** All kinds of calls, without offsets. */
export const callKinds = Array.from({ length: alertKind }, (_, kind) => kind)

/** Returns the kinds with every offset: for accounts and providers, with and without a trunk. */
export const withAllOffsets = (kinds: readonly number[]) =>
  [0, providerKindOffset, trunkKindOffset, providerKindOffset + trunkKindOffset].flatMap((offset) =>
    kinds.map((kind) => kind + offset),
  )

/** Were calls of this kind answered? Accepts any offset. */
export const isAnswered = (kind: number): boolean =>
  answeredValues[(kind % providerKindOffset) % answeredValues.length] === true

/** Returns the kinds of calls that a filter matches. Without a reported answer a call counts as not answered. */
export const findMatchingKinds = ({ direction, answered }: Pick<CallListOptions, 'direction' | 'answered'>): number[] =>
  directions
    .filter((value) => direction === undefined || value === direction)
    .flatMap((matchingDirection) =>
      answeredValues
        .filter((value) => answered === undefined || (value ?? false) === answered)
        .map((value) => toCallKind(matchingDirection, value)),
    )
