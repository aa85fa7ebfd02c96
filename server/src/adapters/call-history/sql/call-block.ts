import { digestOf, firstIdOfHour, hourOf, kindOfCall, type Span } from './time-ids'

/** What a row of calls says that is looked for or filtered by together with a text. */
export interface Numbered {
  id: number
  service_provider_sid: string | null
  account_sid: string | null
  direction: string | null
  answered: number | null
  sip_status: number
  seconds: number
  delay: number | null
  trunk: string | null
  numbers: Buffer
  /** Everything that the writer said, as JSON. */
  point: string
}

/**
 * Calls of one owner and one hour, one after the other: the length of the searched text, the facts of a call, and the
 * searched text: both numbers and the termination reason. Packs of the same owner and hour are joined by writing one behind the other.
 */
export type Pack = Buffer

/** What an overview adds up of a call. */
export interface PackedCall {
  kind: number
  sip_status: number
  seconds: number
  delay: number | null
}

/** Where in a call's bytes each fact stands, and how many bytes it has; behind `head` comes the searched text. */
const length = { at: 0, length: 2 }
const place = { at: 2, length: 4 }
const kind = { at: 6, length: 1 }
const sipStatus = { at: 7, length: 2 }
const seconds = { at: 9, length: 3 }
const delay = { at: 12, length: 3 }
const trunk = { at: 15, length: 6 }
const application = { at: 21, length: 4 }
const head = 25

/** The bytes of a termination reason that are searched. */
const maxReasonBytes = 64

/** The greatest number of three bytes: 194 days, or in milliseconds more than four hours. As a delay it is none. */
const most = 2 ** 24 - 1

/** The kind under which hours count a row. */
export const kindOfRow = ({ direction, answered }: Pick<Numbered, 'direction' | 'answered'>): number =>
  kindOfCall(direction ?? undefined, answered === null ? undefined : answered === 1)

/** A trunk as a number of six bytes; 0 is none. */
export const trunkMark = (name: string | null): number => (name === null ? 0 : digestOf(name) % 2 ** (8 * trunk.length))

/** An application as a number of four bytes; 0 is none. */
export const applicationMark = (sid: string | null): number =>
  sid === null ? 0 : digestOf(sid) % 2 ** (8 * application.length)

const bytesOf = (mark: number, { length: size }: { length: number }): Buffer => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(mark, 0, size)
  return bytes
}

/** A trunk's mark and an application's mark as they appear in a pack. */
export const trunkBytes = (mark: number): Buffer => bytesOf(mark, trunk)
export const applicationBytes = (mark: number): Buffer => bytesOf(mark, application)

/** The greatest SIP status that a pack can tell from others. */
export const boundedStatus = (status: number): number => Math.min(status, 2 ** 16 - 1)

/** The bytes by which a call is known among those of its hour. */
export const placeOf = (id: number): Buffer => {
  const bytes = Buffer.alloc(place.length)
  bytes.writeUInt32BE(id - firstIdOfHour(hourOf(id)))
  return bytes
}

/** A pack of one call. */
export const packOf = (row: Numbered): Pack => {
  const bytes = Buffer.alloc(head)
  const say = (value: number, { at, length: many }: { at: number; length: number }) =>
    bytes.writeUIntBE(value, at, many)
  const { termination_reason, application_sid } = JSON.parse(row.point) as Record<string, unknown>
  const reason = typeof termination_reason === 'string' ? termination_reason.toLowerCase() : ''
  const searched = Buffer.concat([row.numbers, Buffer.from(reason && `\n${reason}`).subarray(0, maxReasonBytes)])
  say(searched.length, length)
  placeOf(row.id).copy(bytes, place.at)
  say(kindOfRow(row), kind)
  say(boundedStatus(row.sip_status), sipStatus)
  say(Math.min(row.seconds, most), seconds)
  say(row.delay === null ? most : Math.min(row.delay, most - 1), delay)
  say(trunkMark(row.trunk), trunk)
  say(applicationMark(typeof application_sid === 'string' && application_sid ? application_sid : null), application)
  return Buffer.concat([bytes, searched])
}

/** A number in bytes that are read one by one, as `latin1` gives them: much quicker than to ask a buffer a million times. */
const numberAt = (bytes: string, from: number, many: number): number => {
  let value = 0
  for (let at = from; at < from + many; at += 1) value = value * 256 + bytes.charCodeAt(at)
  return value
}

const endOf = (bytes: string, from: number) => from + head + numberAt(bytes, from, length.length)

/** The same pack without one call. */
export const without = (pack: Pack, id: number): Pack => {
  const bytes = pack.toString('latin1')
  const left: Buffer[] = []
  for (let from = 0, end; from < bytes.length; from = end) {
    end = endOf(bytes, from)
    const call = pack.subarray(from, end)
    if (!call.subarray(place.at, place.at + place.length).equals(placeOf(id))) left.push(call)
  }
  return Buffer.concat(left)
}

/** What is looked for in a pack. */
export interface Sieve extends Span {
  /** Contained in the searched text: in small letters, as bytes that are read one by one. */
  text: string
  /** Marks of the trunks with this text in their names: their calls match as well. */
  trunks?: ReadonlySet<number>
  /** Calls that are found whatever their numbers are. */
  ids: ReadonlySet<number>
  /** Absent: of every kind. */
  kinds?: ReadonlySet<number> | undefined
  sip_status?: number | undefined
  /** As `trunkMark` says it. */
  trunk?: number | undefined
  /** As `applicationMark` gives it. */
  application?: number | undefined
}

const idAt = (hour: number, bytes: string, from: number) =>
  firstIdOfHour(hour) + numberAt(bytes, from + place.at, place.length)

/** Does a sieve let a call through, whatever its numbers are? What it does not ask is not read. */
const passes = (hour: number, bytes: string, from: number, sieve: Sieve): boolean => {
  const { low, high, kinds, sip_status, trunk: mark, application: app } = sieve
  if (low > firstIdOfHour(hour) || high < firstIdOfHour(hour + 1)) {
    const id = idAt(hour, bytes, from)
    if (id < low || id > high) return false
  }
  return (
    (kinds === undefined || kinds.has(numberAt(bytes, from + kind.at, kind.length))) &&
    (sip_status === undefined || numberAt(bytes, from + sipStatus.at, sipStatus.length) === sip_status) &&
    (mark === undefined || numberAt(bytes, from + trunk.at, trunk.length) === mark) &&
    (app === undefined || numberAt(bytes, from + application.at, application.length) === app)
  )
}

/**
 * How many of a pack's calls a sieve lets through, and for each of them, where it stands. A million are asked here: nothing
 * is made of those that are only counted.
 */
const sifted = (hour: number, bytes: string, sieve: Sieve, each?: (from: number) => void): number => {
  const { text, ids, trunks } = sieve
  const isNamed = (from: number) =>
    (ids.size > 0 && ids.has(idAt(hour, bytes, from))) ||
    (trunks !== undefined && trunks.size > 0 && trunks.has(numberAt(bytes, from + trunk.at, trunk.length)))
  let number = 0
  let found = -1
  for (let from = 0, end; from < bytes.length; from = end) {
    end = endOf(bytes, from)
    if (found < from + head) found = bytes.indexOf(text, from + head)
    // it is in none of those that follow either
    if (found < 0) found = bytes.length
    const matches = found + text.length <= end || isNamed(from)
    if (!matches || !passes(hour, bytes, from, sieve)) continue
    number += 1
    each?.(from)
  }
  return number
}

/** How many of a pack's calls a sieve lets through. */
export const countIn = (hour: number, pack: Pack, sieve: Sieve): number => sifted(hour, pack.toString('latin1'), sieve)

/** Their ids. */
export const idsIn = (hour: number, pack: Pack, sieve: Sieve): number[] => {
  const bytes = pack.toString('latin1')
  const ids: number[] = []
  sifted(hour, bytes, sieve, (from) => ids.push(idAt(hour, bytes, from)))
  return ids
}

/** What an overview adds up of each of them. */
export const callsIn = (hour: number, pack: Pack, sieve: Sieve): PackedCall[] => {
  const bytes = pack.toString('latin1')
  const calls: PackedCall[] = []
  sifted(hour, bytes, sieve, (from) => {
    const waited = numberAt(bytes, from + delay.at, delay.length)
    calls.push({
      kind: numberAt(bytes, from + kind.at, kind.length),
      sip_status: numberAt(bytes, from + sipStatus.at, sipStatus.length),
      seconds: numberAt(bytes, from + seconds.at, seconds.length),
      delay: waited === most ? null : waited,
    })
  })
  return calls
}
