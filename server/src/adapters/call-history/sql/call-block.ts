import { digestOf, findMatchingKinds, firstIdOfHour, hourOf, toCallKind, type IdRange } from './time-ids'

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

/** The values of a call that aggregates add up. */
export interface CallMeasures {
  /** See `toCallKind`. */
  kind: number
  sip_status: number
  seconds: number
  /** Milliseconds until the answer; null if unknown. */
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

/** The greatest 3-byte number: 194 days in seconds, 4.6 hours in milliseconds. As a delay it means that there is none. */
const maxUint24 = 2 ** 24 - 1

/** Returns the kind under which hour counts include a row. */
export const kindOfRow = ({ direction, answered }: Pick<IndexedCall, 'direction' | 'answered'>): number =>
  toCallKind(direction ?? undefined, answered === null ? undefined : answered === 1)

/** Converts a trunk to a 6-byte number; 0 means no trunk. */
export const toTrunkCode = (name: string | null): number =>
  name === null ? 0 : digestOf(name) % 2 ** (8 * trunkField.size)

/** Converts an application SID to a 4-byte number; 0 means no application. */
export const toApplicationCode = (sid: string | null): number =>
  sid === null ? 0 : digestOf(sid) % 2 ** (8 * applicationField.size)

const encodeCode = (code: number, { size }: { size: number }): Buffer => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(code, 0, size)
  return bytes
}

/** Encode codes as they are stored in a block. */
export const encodeTrunkCode = (code: number): Buffer => encodeCode(code, trunkField)
export const encodeApplicationCode = (code: number): Buffer => encodeCode(code, applicationField)

/** Limits a SIP status to two bytes. */
export const clampStatus = (status: number): number => Math.min(status, 2 ** 16 - 1)

/** Encodes an id relative to its hour. */
export const encodeId = (id: number): Buffer => {
  const bytes = Buffer.alloc(idField.size)
  bytes.writeUInt32BE(id - firstIdOfHour(hourOf(id)))
  return bytes
}

/** Encodes one call as a block. */
export const encodeCall = (row: IndexedCall): CallBlock => {
  const header = Buffer.alloc(headerBytes)
  const writeHeaderField = (value: number, { offset, size }: { offset: number; size: number }) =>
    header.writeUIntBE(value, offset, size)
  const { termination_reason, application_sid } = JSON.parse(row.point) as Record<string, unknown>
  const reason = typeof termination_reason === 'string' ? termination_reason.toLowerCase() : ''
  const searchableText = Buffer.concat([row.numbers, Buffer.from(reason && `\n${reason}`).subarray(0, maxReasonBytes)])
  writeHeaderField(searchableText.length, lengthField)
  encodeId(row.id).copy(header, idField.offset)
  writeHeaderField(kindOfRow(row), kindField)
  writeHeaderField(clampStatus(row.sip_status), sipStatusField)
  writeHeaderField(Math.min(row.seconds, maxUint24), secondsField)
  writeHeaderField(row.delay === null ? maxUint24 : Math.min(row.delay, maxUint24 - 1), delayField)
  writeHeaderField(toTrunkCode(row.trunk), trunkField)
  writeHeaderField(
    toApplicationCode(typeof application_sid === 'string' && application_sid ? application_sid : null),
    applicationField,
  )
  return Buffer.concat([header, searchableText])
}

/** Reads a number from a `latin1` string: much faster than a Buffer for millions of reads. */
const readUint = (bytes: string, offset: number, size: number): number => {
  let value = 0
  for (let index = offset; index < offset + size; index += 1) value = value * 256 + bytes.charCodeAt(index)
  return value
}

const findEndOfCall = (bytes: string, callOffset: number) =>
  callOffset + headerBytes + readUint(bytes, callOffset, lengthField.size)

/** Returns the block without one call. */
export const removeCall = (block: CallBlock, id: number): CallBlock => {
  const bytes = block.toString('latin1')
  const remainingCalls: Buffer[] = []
  for (let callOffset = 0, callEnd; callOffset < bytes.length; callOffset = callEnd) {
    callEnd = findEndOfCall(bytes, callOffset)
    const call = block.subarray(callOffset, callEnd)
    if (!call.subarray(idField.offset, idField.offset + idField.size).equals(encodeId(id))) remainingCalls.push(call)
  }
  return Buffer.concat(remainingCalls)
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
  /** See `toTrunkCode`. */
  trunk?: number | undefined
  /** See `toApplicationCode`. */
  application?: number | undefined
  /** The phone number of the call as `encodePhoneNumber` returns it, as a `latin1` string. */
  phoneNumber?: string | undefined
}

const readId = (hour: number, bytes: string, callOffset: number) =>
  firstIdOfHour(hour) + readUint(bytes, callOffset + idField.offset, idField.size)

const [inboundKinds, outboundKinds] = (['inbound', 'outbound'] as const).map(
  (direction) => new Set(findMatchingKinds({ direction })),
) as [Set<number>, Set<number>]
const lineBreak = '\n'
const plus = '+'

/**
 * Returns the called number of an inbound call, or the calling number of an outbound one. Calls without a direction have no
 * phone number.
 */
const readPhoneNumber = (bytes: string, callOffset: number): string | undefined => {
  const kind = readUint(bytes, callOffset + kindField.offset, kindField.size)
  const isInbound = inboundKinds.has(kind)
  if (!isInbound && !outboundKinds.has(kind)) return undefined
  const callEnd = findEndOfCall(bytes, callOffset)
  const textStart = callOffset + headerBytes
  const numberStart = isInbound ? bytes.indexOf(lineBreak, textStart) + lineBreak.length : textStart
  const nextBreak = bytes.indexOf(lineBreak, numberStart)
  const numberEnd = nextBreak < 0 ? callEnd : Math.min(nextBreak, callEnd)
  return bytes.slice(bytes.startsWith(plus, numberStart) ? numberStart + plus.length : numberStart, numberEnd)
}

/** Does a field have this value? Any value matches if it is undefined; the field is not decoded then. */
const hasValue = (
  bytes: string,
  callOffset: number,
  { offset, size }: { offset: number; size: number },
  value: number | undefined,
): boolean => value === undefined || readUint(bytes, callOffset + offset, size) === value

/** Does a call match all conditions besides the text? Fields without a condition are not decoded. */
const matchesConditions = (hour: number, bytes: string, callOffset: number, filter: BlockFilter): boolean => {
  const { low, high, kinds, sip_status, trunk, application, phoneNumber } = filter
  if (low > firstIdOfHour(hour) || high < firstIdOfHour(hour + 1)) {
    const id = readId(hour, bytes, callOffset)
    if (id < low || id > high) return false
  }
  return (
    (kinds === undefined || kinds.has(readUint(bytes, callOffset + kindField.offset, kindField.size))) &&
    hasValue(bytes, callOffset, sipStatusField, sip_status) &&
    hasValue(bytes, callOffset, trunkField, trunk) &&
    hasValue(bytes, callOffset, applicationField, application) &&
    (phoneNumber === undefined || readPhoneNumber(bytes, callOffset) === phoneNumber)
  )
}

/**
 * Counts the matching calls of a block, and reports the offset of each. Runs over millions of calls: calls that are only
 * counted are not decoded.
 */
const scanBlock = (
  hour: number,
  bytes: string,
  filter: BlockFilter,
  onMatch?: (callOffset: number) => void,
): number => {
  const { ids, trunks, phoneNumber = '' } = filter
  // The calls that contain the phone number are found faster as a text.
  const text = filter.text || phoneNumber
  const matchesByIdOrTrunk = (callOffset: number) =>
    (ids.size > 0 && ids.has(readId(hour, bytes, callOffset))) ||
    (trunks !== undefined &&
      trunks.size > 0 &&
      trunks.has(readUint(bytes, callOffset + trunkField.offset, trunkField.size)))
  let count = 0
  let textIndex = -1
  for (let callOffset = 0, callEnd; callOffset < bytes.length; callOffset = callEnd) {
    callEnd = findEndOfCall(bytes, callOffset)
    if (textIndex < callOffset + headerBytes) textIndex = bytes.indexOf(text, callOffset + headerBytes)
    // No later call contains the text.
    if (textIndex < 0) textIndex = bytes.length
    const matchesText = textIndex + text.length <= callEnd || matchesByIdOrTrunk(callOffset)
    if (!matchesText || !matchesConditions(hour, bytes, callOffset, filter)) continue
    count += 1
    onMatch?.(callOffset)
  }
  return count
}

/** Returns the number of matching calls. */
export const countMatches = (hour: number, block: CallBlock, filter: BlockFilter): number =>
  scanBlock(hour, block.toString('latin1'), filter)

/** Returns the ids of matching calls. */
export const findMatchingIds = (hour: number, block: CallBlock, filter: BlockFilter): number[] => {
  const bytes = block.toString('latin1')
  const ids: number[] = []
  scanBlock(hour, bytes, filter, (callOffset) => ids.push(readId(hour, bytes, callOffset)))
  return ids
}

/** Returns the measures of matching calls. */
export const findMatchingCalls = (hour: number, block: CallBlock, filter: BlockFilter): CallMeasures[] => {
  const bytes = block.toString('latin1')
  const calls: CallMeasures[] = []
  scanBlock(hour, bytes, filter, (callOffset) => {
    const delayMs = readUint(bytes, callOffset + delayField.offset, delayField.size)
    calls.push({
      kind: readUint(bytes, callOffset + kindField.offset, kindField.size),
      sip_status: readUint(bytes, callOffset + sipStatusField.offset, sipStatusField.size),
      seconds: readUint(bytes, callOffset + secondsField.offset, secondsField.size),
      delay: delayMs === maxUint24 ? null : delayMs,
    })
  })
  return calls
}

/** Returns the application codes of matching calls, each with the id of its call. */
export const findMatchingApplications = (
  hour: number,
  block: CallBlock,
  filter: BlockFilter,
): { application: number; id: number }[] => {
  const bytes = block.toString('latin1')
  const calls: { application: number; id: number }[] = []
  scanBlock(hour, bytes, filter, (callOffset) =>
    calls.push({
      application: readUint(bytes, callOffset + applicationField.offset, applicationField.size),
      id: readId(hour, bytes, callOffset),
    }),
  )
  return calls
}

/** Returns the trunk codes of matching calls, each with the kind of its call. */
export const findMatchingTrunks = (
  hour: number,
  block: CallBlock,
  filter: BlockFilter,
): { trunk: number; kind: number }[] => {
  const bytes = block.toString('latin1')
  const trunkKinds: { trunk: number; kind: number }[] = []
  scanBlock(hour, bytes, filter, (callOffset) =>
    trunkKinds.push({
      trunk: readUint(bytes, callOffset + trunkField.offset, trunkField.size),
      kind: readUint(bytes, callOffset + kindField.offset, kindField.size),
    }),
  )
  return trunkKinds
}

/** Returns the phone number of each matching call that has one, as `latin1` strings. */
export const findPhoneNumbers = (hour: number, block: CallBlock, filter: BlockFilter): string[] => {
  const bytes = block.toString('latin1')
  const phoneNumbers: string[] = []
  scanBlock(hour, bytes, filter, (callOffset) => {
    const phoneNumber = readPhoneNumber(bytes, callOffset)
    if (phoneNumber !== undefined) phoneNumbers.push(phoneNumber)
  })
  return phoneNumbers
}
