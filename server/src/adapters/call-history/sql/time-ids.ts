import { createHash } from 'node:crypto'
import type { CallListOptions, Tenant, TimedListOptions } from '../../../ports/call-history'

/** Ids per millisecond. */
const idsPerMs = 1024
export const idsPerHour = 3_600_000 * idsPerMs

/** The greatest id; times end in the year 2248. */
export const lastId = Number.MAX_SAFE_INTEGER
export const timestampOf = (id: number) => Math.floor(id / idsPerMs)
export const hourOf = (id: number) => Math.floor(id / idsPerHour)
export const firstIdOfHour = (hour: number) => hour * idsPerHour
export const firstIdAt = (timestamp: number) => Math.min(lastId, Math.max(0, Math.ceil(timestamp)) * idsPerMs)
const lastIdAt = (timestamp: number) => Math.min(lastId, Math.floor(timestamp) * idsPerMs + idsPerMs - 1)

/** A 52-bit digest of a name, ignoring case. Different names may share one. */
export const digestOf = (name: string): number =>
  parseInt(createHash('sha256').update(name.toLowerCase()).digest('hex').slice(0, 13), 16)

/** A tenant as a number. Providers and accounts never collide, even with equal SIDs. */
export const ownerDigest = (tenant: Tenant): number =>
  digestOf('account_sid' in tenant ? `account ${tenant.account_sid}` : `provider ${tenant.service_provider_sid}`)

/** The preferred id for a point of this time, and the first id of its millisecond. */
export const preferredId = (time: bigint, dedupeKey: string): { preferred: number; first: number } => {
  const first = Number(time / 1_000_000n) * idsPerMs
  const remainderNs = Number(time % 1_000_000n)
  // Points without sub-millisecond time are spread by their key, so that they do not all compete for the first id.
  const slot =
    remainderNs > 0
      ? Math.floor((remainderNs * idsPerMs) / 1_000_000)
      : (dedupeKey.charCodeAt(20) * 64 + dedupeKey.charCodeAt(21)) % idsPerMs
  return { preferred: first + slot, first }
}

/** The next free id of the same millisecond, or undefined if all 1024 are used. */
export const freeId = (
  { preferred, first }: { preferred: number; first: number },
  usedIds: ReadonlySet<number>,
): number | undefined => {
  for (let step = 0; step < idsPerMs; step += 1) {
    const id = first + ((preferred - first + step) % idsPerMs)
    if (!usedIds.has(id)) return id
  }
  return undefined
}

/** The last id of the millisecond that starts with `first`, and the first id of the next one. */
export const lastIdOfMs = (first: number): number => first + idsPerMs - 1
export const firstIdOfNextMs = (first: number): number => first + idsPerMs
export const firstIdOfMs = (id: number): number => timestampOf(id) * idsPerMs

/** A range of ids, both ends included. */
export interface IdRange {
  low: number
  high: number
}

/** `oldestAt`: the start of the retention period, in milliseconds since 1970. */
export const idRangeOf = ({ from, to }: Pick<TimedListOptions, 'from' | 'to'>, oldestAt: number): IdRange => ({
  low: firstIdAt(Math.max(from ?? 0, oldestAt)),
  high: to === undefined ? lastId : lastIdAt(to),
})

/** Splits a range into full hours and the partial hours at both ends. */
export const splitHours = ({ low, high }: IdRange) => {
  const first = Math.ceil(low / idsPerHour)
  const end = high === lastId ? hourOf(lastId) + 1 : hourOf(high + 1)
  if (first >= end) return { edges: high < low ? [] : [{ low, high }], hours: undefined }
  const beforeHours = { low, high: firstIdOfHour(first) - 1 }
  const afterHours = high === lastId ? { low: 1, high: 0 } : { low: firstIdOfHour(end), high }
  return { edges: [afterHours, beforeHours].filter((edge) => edge.low <= edge.high), hours: { first, end } }
}

const directions = [undefined, 'inbound', 'outbound']
const answeredValues = [undefined, false, true]

/** The kind under which a call is counted: its direction and whether it was answered. */
export const callKind = (direction: string | undefined, answered: boolean | undefined): number =>
  Math.max(0, directions.indexOf(direction)) * answeredValues.length + Math.max(0, answeredValues.indexOf(answered))

export const alertKind = directions.length * answeredValues.length

/** Added to kinds that are counted for a provider, so that its SID cannot collide with an account's. */
export const providerKindOffset = alertKind + 1

/** Added to kinds that are counted per trunk. */
export const trunkKindOffset = 2 * providerKindOffset

/** The owner under which calls of a trunk are counted. Trunk names ignore case, as in the filter by trunk. */
export const trunkOwnerSid = (owner_sid: string, trunk: string): string =>
  digestOf(`${owner_sid} ${trunk}`).toString(16)

/** All kinds of calls, and given kinds with every offset. */
export const callKinds = Array.from({ length: alertKind }, (_, kind) => kind)
export const withAllOffsets = (kinds: readonly number[]) =>
  [0, providerKindOffset, trunkKindOffset, providerKindOffset + trunkKindOffset].flatMap((offset) =>
    kinds.map((kind) => kind + offset),
  )

/** Were calls of this kind answered? Accepts any offset. */
export const isAnswered = (kind: number): boolean =>
  answeredValues[(kind % providerKindOffset) % answeredValues.length] === true

/** The kinds of calls that a filter matches. Without a reported answer a call counts as not answered. */
export const matchingKinds = ({ direction, answered }: Pick<CallListOptions, 'direction' | 'answered'>): number[] =>
  directions
    .filter((value) => direction === undefined || value === direction)
    .flatMap((matchingDirection) =>
      answeredValues
        .filter((value) => answered === undefined || (value ?? false) === answered)
        .map((value) => callKind(matchingDirection, value)),
    )
