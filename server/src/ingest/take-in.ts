import type { CallHistory, Kept, Point } from '../ports/call-history'
import type { Writer } from './keys'
import type { Fault, Said } from './line-protocol'
import { ownedBy, type ProviderOf } from './ownership'

/** So far may a writer's clock be ahead: what is later would stand above all other calls for as long. */
const ahead = 24n * 3_600_000_000_000n

/** A measurement that says the same calls once more, by the time of their end: its writer is not told off, and nothing is kept twice. */
const repeated: Partial<Record<Kept, string>> = { cdrs: 'cdrs_by_end' }

/** Points without a time have that of their coming, and each one of its own. */
const clockOf = (now: bigint) => {
  let next = now
  return () => (next += 1n)
}

const columnLimit = 255

const tooLong = ({ tags }: Point) => Object.keys(tags).find((name) => tags[name]!.length > columnLimit)

/** The points that this writer may write, and what is wrong with the others. */
const admit = async (kept: Kept, writer: Writer, said: readonly Said[], providerOf: ProviderOf) => {
  const points: Point[] = []
  const faults: Fault[] = []
  const coming = BigInt(Date.now()) * 1_000_000n
  const now = clockOf(coming)
  for (const { line, measurement, point } of said) {
    const refuse = (reason: string) => faults.push({ line, reason: `line ${line}: ${reason}` })
    if (measurement === repeated[kept]) continue
    if (measurement !== kept) {
      refuse(`measurement ${measurement.slice(0, 60)} is not kept here`)
      continue
    }
    const whole: Point = { ...point, time: point.time ?? now() }
    const long = tooLong(whole)
    if (whole.time < 0n || whole.time > coming + ahead) refuse('time outside range')
    else if (long !== undefined) refuse(`tag ${long.slice(0, 60)} is longer than ${columnLimit} characters`)
    else {
      const owned = await ownedBy(writer, whole, providerOf)
      if ('refused' in owned) refuse(owned.refused)
      else points.push(owned)
    }
  }
  return { points, faults }
}

/** Keeps what a writer said, as far as it may. Resolves with what was left out, when all else is safe. */
export const takeIn = async (
  history: CallHistory,
  kept: Kept,
  writer: Writer,
  said: readonly Said[],
  providerOf: ProviderOf,
): Promise<Fault[]> => {
  const { points, faults } = await admit(kept, writer, said, providerOf)
  await history.write(kept, points)
  return faults
}
