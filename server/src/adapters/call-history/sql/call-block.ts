import { digestOf, firstIdOfHour, hourOf, callKind, type IdRange } from './time-ids'

/** The columns of a call that blocks index. */
export interface IndexedCall {
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
  /** The complete point as JSON. */
  point: string
}

/**
 * Calls of one owner and hour in binary form. Each call is a header (see below) followed by its searchable text: both numbers
 * and the termination reason. Concatenating two blocks yields a block.
 */
export type CallBlock = Buffer

/** The facts of a call that aggregates use. */
export interface CallFacts {
  kind: number
  sip_status: number
  seconds: number
  delay: number | null
}

/** Offset and size in bytes of each header field. The searchable text follows the header. */
const lengthField = { offset: 0, size: 2 }
const idField = { offset: 2, size: 4 }
const kindField = { offset: 6, size: 1 }
const sipStatusField = { offset: 7, size: 2 }
const secondsField = { offset: 9, size: 3 }
const delayField = { offset: 12, size: 3 }
const trunkField = { offset: 15, size: 6 }
const applicationField = { offset: 21, size: 4 }
const headerBytes = 25

/** Searchable bytes of a termination reason. */
const maxReasonBytes = 64

/** The greatest 3-byte number: 194 days in seconds, 4.6 hours in milliseconds. As a delay it means none. */
const maxUint24 = 2 ** 24 - 1

/** The kind under which hours count a row. */
export const kindOfRow = ({ direction, answered }: Pick<IndexedCall, 'direction' | 'answered'>): number =>
  callKind(direction ?? undefined, answered === null ? undefined : answered === 1)

/** A trunk as a 6-byte number; 0 is none. */
export const trunkCode = (name: string | null): number =>
  name === null ? 0 : digestOf(name) % 2 ** (8 * trunkField.size)

/** An application as a 4-byte number; 0 is none. */
export const applicationCode = (sid: string | null): number =>
  sid === null ? 0 : digestOf(sid) % 2 ** (8 * applicationField.size)

const bytesOf = (code: number, { size }: { size: number }): Buffer => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(code, 0, size)
  return bytes
}

/** The codes as bytes of a block. */
export const trunkBytes = (code: number): Buffer => bytesOf(code, trunkField)
export const applicationBytes = (code: number): Buffer => bytesOf(code, applicationField)

/** SIP status, limited to two bytes. */
export const clampStatus = (status: number): number => Math.min(status, 2 ** 16 - 1)

/** The bytes that identify a call within its hour. */
export const idBytes = (id: number): Buffer => {
  const bytes = Buffer.alloc(idField.size)
  bytes.writeUInt32BE(id - firstIdOfHour(hourOf(id)))
  return bytes
}

/** A block of one call. */
export const encodeCall = (row: IndexedCall): CallBlock => {
  const bytes = Buffer.alloc(headerBytes)
  const writeField = (value: number, { offset, size }: { offset: number; size: number }) =>
    bytes.writeUIntBE(value, offset, size)
  const { termination_reason, application_sid } = JSON.parse(row.point) as Record<string, unknown>
  const reason = typeof termination_reason === 'string' ? termination_reason.toLowerCase() : ''
  const searched = Buffer.concat([row.numbers, Buffer.from(reason && `\n${reason}`).subarray(0, maxReasonBytes)])
  writeField(searched.length, lengthField)
  idBytes(row.id).copy(bytes, idField.offset)
  writeField(kindOfRow(row), kindField)
  writeField(clampStatus(row.sip_status), sipStatusField)
  writeField(Math.min(row.seconds, maxUint24), secondsField)
  writeField(row.delay === null ? maxUint24 : Math.min(row.delay, maxUint24 - 1), delayField)
  writeField(trunkCode(row.trunk), trunkField)
  writeField(
    applicationCode(typeof application_sid === 'string' && application_sid ? application_sid : null),
    applicationField,
  )
  return Buffer.concat([bytes, searched])
}

/** Reads a number from a `latin1` string: much faster than a Buffer for millions of reads. */
const readUint = (bytes: string, offset: number, size: number): number => {
  let value = 0
  for (let index = offset; index < offset + size; index += 1) value = value * 256 + bytes.charCodeAt(index)
  return value
}

const endOfCall = (bytes: string, from: number) => from + headerBytes + readUint(bytes, from, lengthField.size)

/** The block without one call. */
export const withoutCall = (block: CallBlock, id: number): CallBlock => {
  const bytes = block.toString('latin1')
  const remaining: Buffer[] = []
  for (let from = 0, end; from < bytes.length; from = end) {
    end = endOfCall(bytes, from)
    const call = block.subarray(from, end)
    if (!call.subarray(idField.offset, idField.offset + idField.size).equals(idBytes(id))) remaining.push(call)
  }
  return Buffer.concat(remaining)
}

/** A filter for the calls of a block. */
export interface BlockFilter extends IdRange {
  /** Part of the searchable text: lower case, as a `latin1` string. */
  text: string
  /** Codes of trunks whose names contain the text: their calls match too. */
  trunks?: ReadonlySet<number>
  /** Calls that match the text in any case, because their SID or Call-ID equals it. */
  ids: ReadonlySet<number>
  /** Absent: all kinds. */
  kinds?: ReadonlySet<number> | undefined
  sip_status?: number | undefined
  /** See `trunkCode`. */
  trunk?: number | undefined
  /** See `applicationCode`. */
  application?: number | undefined
}

const idAt = (hour: number, bytes: string, from: number) =>
  firstIdOfHour(hour) + readUint(bytes, from + idField.offset, idField.size)

/** Does a call match all conditions besides the text? Fields without a condition are not decoded. */
const matchesConditions = (hour: number, bytes: string, from: number, filter: BlockFilter): boolean => {
  const { low, high, kinds, sip_status, trunk: code, application: app } = filter
  if (low > firstIdOfHour(hour) || high < firstIdOfHour(hour + 1)) {
    const id = idAt(hour, bytes, from)
    if (id < low || id > high) return false
  }
  return (
    (kinds === undefined || kinds.has(readUint(bytes, from + kindField.offset, kindField.size))) &&
    (sip_status === undefined || readUint(bytes, from + sipStatusField.offset, sipStatusField.size) === sip_status) &&
    (code === undefined || readUint(bytes, from + trunkField.offset, trunkField.size) === code) &&
    (app === undefined || readUint(bytes, from + applicationField.offset, applicationField.size) === app)
  )
}

/**
 * Counts the matching calls of a block, and reports the offset of each. Runs over millions of calls: calls that are only
 * counted are not decoded.
 */
const scanBlock = (hour: number, bytes: string, filter: BlockFilter, onMatch?: (from: number) => void): number => {
  const { text, ids, trunks } = filter
  const hasOtherMatch = (from: number) =>
    (ids.size > 0 && ids.has(idAt(hour, bytes, from))) ||
    (trunks !== undefined && trunks.size > 0 && trunks.has(readUint(bytes, from + trunkField.offset, trunkField.size)))
  let count = 0
  let textIndex = -1
  for (let from = 0, end; from < bytes.length; from = end) {
    end = endOfCall(bytes, from)
    if (textIndex < from + headerBytes) textIndex = bytes.indexOf(text, from + headerBytes)
    // No later call contains the text.
    if (textIndex < 0) textIndex = bytes.length
    const matches = textIndex + text.length <= end || hasOtherMatch(from)
    if (!matches || !matchesConditions(hour, bytes, from, filter)) continue
    count += 1
    onMatch?.(from)
  }
  return count
}

/** The number of matching calls. */
export const countMatches = (hour: number, block: CallBlock, filter: BlockFilter): number =>
  scanBlock(hour, block.toString('latin1'), filter)

/** The ids of matching calls. */
export const matchingIds = (hour: number, block: CallBlock, filter: BlockFilter): number[] => {
  const bytes = block.toString('latin1')
  const ids: number[] = []
  scanBlock(hour, bytes, filter, (from) => ids.push(idAt(hour, bytes, from)))
  return ids
}

/** The facts of matching calls. */
export const matchingCalls = (hour: number, block: CallBlock, filter: BlockFilter): CallFacts[] => {
  const bytes = block.toString('latin1')
  const calls: CallFacts[] = []
  scanBlock(hour, bytes, filter, (from) => {
    const delayMs = readUint(bytes, from + delayField.offset, delayField.size)
    calls.push({
      kind: readUint(bytes, from + kindField.offset, kindField.size),
      sip_status: readUint(bytes, from + sipStatusField.offset, sipStatusField.size),
      seconds: readUint(bytes, from + secondsField.offset, secondsField.size),
      delay: delayMs === maxUint24 ? null : delayMs,
    })
  })
  return calls
}

/** The trunk codes of matching calls, each with the kind of its call. */
export const matchingTrunkKinds = (
  hour: number,
  block: CallBlock,
  filter: BlockFilter,
): { trunk: number; kind: number }[] => {
  const bytes = block.toString('latin1')
  const calls: { trunk: number; kind: number }[] = []
  scanBlock(hour, bytes, filter, (from) =>
    calls.push({
      trunk: readUint(bytes, from + trunkField.offset, trunkField.size),
      kind: readUint(bytes, from + kindField.offset, kindField.size),
    }),
  )
  return calls
}
