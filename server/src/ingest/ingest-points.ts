import {
  arrivalField,
  PointsRejectedError,
  tagNames,
  type CallHistory,
  type Measurement,
  type Point,
} from '../ports/call-history'
import type { Writer } from './writer'
import type { LineError, ParsedLine } from './line-protocol'
import { assignOwner, type ProviderLookup } from './point-owner'
import { checkRecordingUrl } from './recording-url'

/** How far a writer's clock may be ahead. A call with a time in the future stays at the top of lists until then. */
const maxClockSkewNs = 24n * 3_600_000_000_000n

/** A measurement in which voice servers repeat the same calls by their end time. It is ignored without an error. */
const ignoredMeasurements: Partial<Record<Measurement, string>> = { cdrs: 'cdrs_by_end' }

/** Minimum spacing between points without a time. A store has about a thousand ids per millisecond, for all writers. */
const minSpacingNs = 2000n
/** If the last assigned time is ahead of the clock by more than this, the clock has been set back. */
const maxLeadNs = 5_000_000_000n
let lastAssignedNs = 0n

/** Returns a unique time for a point without one. */
const assignTime = (receivedAtNs: bigint): bigint => {
  const nextNs = lastAssignedNs + minSpacingNs
  lastAssignedNs = nextNs > receivedAtNs && nextNs - receivedAtNs < maxLeadNs ? nextNs : receivedAtNs
  return lastAssignedNs
}

let lastArrivalUs = 0

/** Returns the arrival time of a call. Arrival times are unique and increasing, even if the clock is set back. */
const assignArrivalUs = (): number => {
  lastArrivalUs = Math.max(lastArrivalUs + 1, Date.now() * 1000)
  return lastArrivalUs
}

/** Adds the arrival time to a call that was written with an API key. It is evidence of the call's owner. */
const addArrivalTime = (measurement: Measurement, writer: Writer, point: Point): Point =>
  measurement === 'cdrs' && !('all' in writer)
    ? { ...point, fields: { ...point.fields, [arrivalField]: assignArrivalUs() } }
    : point

const maxTagLength = 255

/**
 * Turns fields that are named like a tag into that tag, so that the rules for tags apply to them. Returns the reason if the
 * point is invalid.
 */
const normalizeTags = (measurement: Measurement, point: Point): Point | string => {
  if (Object.hasOwn(point.fields, arrivalField) || Object.hasOwn(point.tags, arrivalField))
    return `${arrivalField} is set by this server`
  const tagFields = tagNames[measurement].filter((name) => Object.hasOwn(point.fields, name))
  if (tagFields.length === 0) return point
  const [tags, fields] = [{ ...point.tags }, { ...point.fields }]
  for (const name of tagFields) {
    const value = String(fields[name])
    if (Object.hasOwn(tags, name) && tags[name] !== value) return `${name} is a tag and a field with different values`
    delete fields[name]
    if (value !== '') tags[name] = value
  }
  return Object.keys(fields).length > 0 ? { ...point, tags, fields } : `no field besides ${tagFields.join(', ')}`
}

const findLongTag = ({ tags }: Point) => Object.keys(tags).find((name) => tags[name]!.length > maxTagLength)

/** Returns the points that this writer may write, and errors for the others. */
const checkPoints = async (
  measurement: Measurement,
  writer: Writer,
  lines: readonly ParsedLine[],
  findProvider: ProviderLookup,
) => {
  const points: Point[] = []
  const errors: LineError[] = []
  const receivedAtNs = BigInt(Date.now()) * 1_000_000n
  for (const { line, measurement: name, point } of lines) {
    const reject = (reason: string) => errors.push({ line, reason: `line ${line}: ${reason}` })
    if (name === ignoredMeasurements[measurement]) continue
    if (name !== measurement) {
      reject(`measurement ${name.slice(0, 60)} is not stored here`)
      continue
    }
    const normalizedPoint = normalizeTags(measurement, { ...point, timeNs: point.timeNs ?? assignTime(receivedAtNs) })
    if (typeof normalizedPoint === 'string') {
      reject(normalizedPoint)
      continue
    }
    const longTag = findLongTag(normalizedPoint)
    if (normalizedPoint.timeNs < 0n || normalizedPoint.timeNs > receivedAtNs + maxClockSkewNs)
      reject('time outside range')
    else if (longTag !== undefined) reject(`tag ${longTag.slice(0, 60)} is longer than ${maxTagLength} characters`)
    else {
      const ownedPoint = await assignOwner(writer, normalizedPoint, findProvider)
      const checkedPoint = 'rejection' in ownedPoint ? ownedPoint : checkRecordingUrl(measurement, ownedPoint)
      if ('rejection' in checkedPoint) reject(checkedPoint.rejection)
      else points.push(addArrivalTime(measurement, writer, checkedPoint))
    }
  }
  return { points, errors }
}

/** What `ingestPoints` did with the lines of a request. */
interface IngestResult {
  /** The errors of the rejected lines. */
  errors: LineError[]
  /** False if every line was rejected or ignored. */
  hasStoredPoints: boolean
}

/** Stores the points that the writer may write. Resolves once they are durable. */
export const ingestPoints = async (
  history: CallHistory,
  measurement: Measurement,
  writer: Writer,
  lines: readonly ParsedLine[],
  findProvider: ProviderLookup,
): Promise<IngestResult> => {
  const { points, errors } = await checkPoints(measurement, writer, lines, findProvider)
  if (points.length === 0) return { errors, hasStoredPoints: false }
  try {
    await history.writePoints(measurement, points)
    return { errors, hasStoredPoints: true }
  } catch (error) {
    if (!(error instanceof PointsRejectedError)) throw error
    const [first, last] = [lines[0]!.line, lines.at(-1)!.line]
    const position = first === last ? `line ${first}` : `lines ${first} to ${last}, some of which were stored`
    errors.push({ line: last, reason: `${position}: ${error.message}` })
    return { errors, hasStoredPoints: false }
  }
}
