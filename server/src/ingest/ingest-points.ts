import {
  arrivalField,
  PointsRejected,
  tagNames,
  type CallHistory,
  type Measurement,
  type Point,
} from '../ports/call-history'
import type { Writer } from './writer'
import type { Fault, Said } from './line-protocol'
import { ownedBy, type ProviderOf } from './ownership'
import { withRecordingUrl } from './recording-url'

/** So far may a writer's clock be ahead: what is later would stand above all other calls for as long. */
const ahead = 24n * 3_600_000_000_000n

/** A measurement that says the same calls once more, by the time of their end: its writer is not told off, and nothing is kept twice. */
const repeated: Partial<Record<Measurement, string>> = { cdrs: 'cdrs_by_end' }

/** Nanoseconds between two points that say no time: a store has some thousand places in a millisecond, and others want one too. */
const apart = 2000n
/** No burst of points gets this far ahead of the clock: then the clock has been set back. */
const maxLead = 5_000_000_000n
let last = 0n

/** Points without a time have that of their coming, and each one of its own, whoever else writes at this moment. */
const timeOfComing = (coming: bigint): bigint => {
  const next = last + apart
  last = next > coming && next - coming < maxLead ? next : coming
  return last
}

let lastArrival = 0

/** Each call of a key has an arrival of its own, so that one of several is the first, also when the clock is set back. */
const arrivalNow = (): number => {
  lastArrival = Math.max(lastArrival + 1, Date.now() * 1000)
  return lastArrival
}

/** A call as evidence of its owner says that a key wrote it, and when. */
const marked = (kept: Measurement, writer: Writer, point: Point): Point =>
  kept === 'cdrs' && !('all' in writer)
    ? { ...point, fields: { ...point.fields, [arrivalField]: arrivalNow() } }
    : point

const columnLimit = 255

/**
 * A point whose fields with the name of a tag have become that tag, so that all that is asked of tags is asked of them too;
 * or why it is none.
 */
const withTags = (kept: Measurement, point: Point): Point | string => {
  if (Object.hasOwn(point.fields, arrivalField) || Object.hasOwn(point.tags, arrivalField))
    return `${arrivalField} is set by this server`
  const posing = tagNames[kept].filter((name) => Object.hasOwn(point.fields, name))
  if (posing.length === 0) return point
  const [tags, fields] = [{ ...point.tags }, { ...point.fields }]
  for (const name of posing) {
    const said = String(fields[name])
    if (Object.hasOwn(tags, name) && tags[name] !== said) return `${name} is a tag, and the field of that name differs`
    delete fields[name]
    if (said !== '') tags[name] = said
  }
  return Object.keys(fields).length > 0 ? { ...point, tags, fields } : `no field besides ${posing.join(', ')}`
}

const tooLong = ({ tags }: Point) => Object.keys(tags).find((name) => tags[name]!.length > columnLimit)

/** The points that this writer may write, and what is wrong with the others. */
const admit = async (kept: Measurement, writer: Writer, said: readonly Said[], providerOf: ProviderOf) => {
  const points: Point[] = []
  const faults: Fault[] = []
  const coming = BigInt(Date.now()) * 1_000_000n
  for (const { line, measurement, point } of said) {
    const refuse = (reason: string) => faults.push({ line, reason: `line ${line}: ${reason}` })
    if (measurement === repeated[kept]) continue
    if (measurement !== kept) {
      refuse(`measurement ${measurement.slice(0, 60)} is not kept here`)
      continue
    }
    const whole = withTags(kept, { ...point, time: point.time ?? timeOfComing(coming) })
    if (typeof whole === 'string') {
      refuse(whole)
      continue
    }
    const long = tooLong(whole)
    if (whole.time < 0n || whole.time > coming + ahead) refuse('time outside range')
    else if (long !== undefined) refuse(`tag ${long.slice(0, 60)} is longer than ${columnLimit} characters`)
    else {
      const owned = await ownedBy(writer, whole, providerOf)
      const checked = 'refused' in owned ? owned : withRecordingUrl(kept, owned)
      if ('refused' in checked) refuse(checked.refused)
      else points.push(marked(kept, writer, checked))
    }
  }
  return { points, faults }
}

/** Keeps what a writer said, as far as it may. Resolves with what was left out, when all else is safe. */
export const takeIn = async (
  history: CallHistory,
  kept: Measurement,
  writer: Writer,
  said: readonly Said[],
  providerOf: ProviderOf,
): Promise<Fault[]> => {
  const { points, faults } = await admit(kept, writer, said, providerOf)
  try {
    await history.write(kept, points)
  } catch (error) {
    if (!(error instanceof PointsRejected)) throw error
    const [first, last] = [said[0]!.line, said.at(-1)!.line]
    const place = first === last ? `line ${first}` : `lines ${first} to ${last}, some of which were kept`
    faults.push({ line: last, reason: `${place}: ${error.message}` })
  }
  return faults
}
