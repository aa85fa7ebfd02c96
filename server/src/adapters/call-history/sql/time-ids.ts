import { createHash } from 'node:crypto'
import type { CallLook, Tenant, TimedLook } from '../../../ports/call-history'

/** Ids below one millisecond. */
const slots = 1024
export const hourLength = 3_600_000 * slots

/** The last id that there can be: times end in the year 2248. */
export const lastId = Number.MAX_SAFE_INTEGER
export const momentOf = (id: number) => Math.floor(id / slots)
export const hourOf = (id: number) => Math.floor(id / hourLength)
export const firstIdOfHour = (hour: number) => hour * hourLength
export const firstIdOf = (moment: number) => Math.min(lastId, Math.max(0, Math.ceil(moment)) * slots)
const lastIdOf = (moment: number) => Math.min(lastId, Math.floor(moment) * slots + slots - 1)

/** A name as a number that fits into an index; two names may have the same. Letters' case does not count. */
export const digestOf = (name: string): number =>
  parseInt(createHash('sha256').update(name.toLowerCase()).digest('hex').slice(0, 13), 16)

/** A tenant as a number. A provider's stands apart from an account's, whatever sids somebody may write. */
export const ownerDigest = (of: Tenant): number =>
  digestOf('account_sid' in of ? `account ${of.account_sid}` : `provider ${of.service_provider_sid}`)

/** The ids of one millisecond, from the one at which a point of this time would like to be. */
export const idsFor = (time: bigint, mark: string): { wanted: number; first: number } => {
  const first = Number(time / 1_000_000n) * slots
  const below = Number(time % 1_000_000n)
  // whose clock has no more than milliseconds gets a place by lot, so that many at once do not queue for the first
  const slot =
    below > 0 ? Math.floor((below * slots) / 1_000_000) : (mark.charCodeAt(20) * 64 + mark.charCodeAt(21)) % slots
  return { wanted: first + slot, first }
}

/** The next place in the same millisecond that nobody has; none where there are 1024 already. */
export const freeId = (
  { wanted, first }: { wanted: number; first: number },
  taken: ReadonlySet<number>,
): number | undefined => {
  for (let step = 0; step < slots; step += 1) {
    const id = first + ((wanted - first + step) % slots)
    if (!taken.has(id)) return id
  }
  return undefined
}

/** The last id of the millisecond that begins with this one, the first of the next, and the first of the one that an id is in. */
export const lastOfMoment = (first: number): number => first + slots - 1
export const nextMoment = (first: number): number => first + slots
export const firstOfMoment = (id: number): number => momentOf(id) * slots

/** The ids between which a look's rows lie, both inclusive. */
export interface Span {
  low: number
  high: number
}

/** `oldest`: the moment from which on records are kept. */
export const spanOf = ({ from, to }: Pick<TimedLook, 'from' | 'to'>, oldest: number): Span => ({
  low: firstIdOf(Math.max(from ?? 0, oldest)),
  high: to === undefined ? lastId : lastIdOf(to),
})

/** The whole hours within a span, and what is left of it above and below them. */
export const hoursOf = ({ low, high }: Span) => {
  const first = Math.ceil(low / hourLength)
  const end = high === lastId ? hourOf(lastId) + 1 : hourOf(high + 1)
  if (first >= end) return { edges: high < low ? [] : [{ low, high }], hours: undefined }
  const below = { low, high: firstIdOfHour(first) - 1 }
  const above = high === lastId ? { low: 1, high: 0 } : { low: firstIdOfHour(end), high }
  return { edges: [above, below].filter((edge) => edge.low <= edge.high), hours: { first, end } }
}

const directions = [undefined, 'inbound', 'outbound']
const answers = [undefined, false, true]

/** The number under which a call is counted. */
export const kindOfCall = (direction: string | undefined, answered: boolean | undefined): number =>
  Math.max(0, directions.indexOf(direction)) * answers.length + Math.max(0, answers.indexOf(answered))

export const kindOfAlert = directions.length * answers.length

/** Where the kinds of an owner's sort begin: of an account at 0, of a provider here. Whatever sids somebody may write. */
export const ofProvider = kindOfAlert + 1

/** And so much further those of what either of them has on one trunk. */
export const ofTrunk = 2 * ofProvider

/** As what a trunk's calls are counted of one owner. Letters' case does not count, as it does not in a search by trunk. */
export const trunkOwner = (owner_sid: string, trunk: string): string => digestOf(`${owner_sid} ${trunk}`).toString(16)

/** The kinds of calls, and those of alerts, of every sort of owner. */
export const everyCall = Array.from({ length: kindOfAlert }, (_, kind) => kind)
export const everyOwner = (kinds: readonly number[]) =>
  [0, ofProvider, ofTrunk, ofProvider + ofTrunk].flatMap((offset) => kinds.map((kind) => kind + offset))

/** Were calls of this kind answered? Of any sort of owner. */
export const isAnswered = (kind: number): boolean => answers[(kind % ofProvider) % answers.length] === true

/** The kinds of calls that a look lets through. Those of which nobody said it were not answered. */
export const kindsOf = ({ direction, answered }: Pick<CallLook, 'direction' | 'answered'>): number[] =>
  directions.flatMap((each) =>
    answers
      .filter(
        (answer) => (!direction || each === direction) && (answered === undefined || (answer ?? false) === answered),
      )
      .map((answer) => kindOfCall(each, answer)),
  )
