import type { ArchiveRange, CallArchive } from '../../ports/call-archive'
import { PointsRejectedError, type CallHistory, type Measurement, type Point } from '../../ports/call-history'
import { convertPoint, digestRecord } from './record-digest'
import { forEachTimeBlock } from './time-blocks'

export type Phase = 'copy' | 'compare'
const phases: readonly Phase[] = ['copy', 'compare']
const measurements: readonly Measurement[] = ['cdrs', 'alerts']

/** The result for one kind of record so far. It is saved after each block. */
export interface MoveCounts {
  /** Records before this time are done, in milliseconds since 1970. */
  doneUntil: number
  recordCount: number
  /** Only while copying: the fields that were left out because their values have the wrong type. */
  droppedFieldCount: number
  /** Only while comparing: records that the target does not have, or has with other values. */
  missingCount: number
  /** Only while comparing: the times of the first blocks with missing records. */
  missingBlocks: number[]
  /** Only while comparing: the sum of the digests of all records, modulo 2^64, in hexadecimal. */
  checksum: string
}

/** What a move has done so far. With it, an interrupted move continues where it stopped. */
export type MoveState = Record<Phase, Record<Measurement, MoveCounts>>

const newCounts = (): MoveCounts => ({
  doneUntil: 0,
  recordCount: 0,
  droppedFieldCount: 0,
  missingCount: 0,
  missingBlocks: [],
  checksum: '0',
})

export const newMoveState = (): MoveState => ({
  copy: { cdrs: newCounts(), alerts: newCounts() },
  compare: { cdrs: newCounts(), alerts: newCounts() },
})

interface MoveOptions {
  source: CallArchive
  target: CallArchive & Pick<CallHistory, 'writePoints'>
  state: MoveState
  /** Called after each block, when the state contains its result. */
  onBlock: (phase: Phase, measurement: Measurement) => void
}

const maxReportedBlocks = 20

const addChecksums = (checksum: string, digests: readonly string[]): string =>
  digests
    .reduce(
      (sum, digest) => BigInt.asUintN(64, sum + Buffer.from(digest, 'base64url').readBigUInt64BE()),
      BigInt(`0x${checksum}`),
    )
    .toString(16)

/** Copies the records of a block. Copying a block again changes nothing, because stores merge equal records. */
const copyBlock = async (
  { source, target }: MoveOptions,
  measurement: Measurement,
  range: ArchiveRange,
  counts: MoveCounts,
): Promise<number> => {
  let blockCount = 0
  for await (const points of source.readPoints(measurement, range)) {
    const conversions = points.map((point) => convertPoint(measurement, point))
    try {
      await target.writePoints(
        measurement,
        conversions.map(({ point }) => point),
      )
    } catch (error) {
      // The valid records are stored, and the comparison reports the others.
      if (!(error instanceof PointsRejectedError)) throw error
    }
    counts.droppedFieldCount += conversions.reduce((sum, { droppedNames }) => sum + droppedNames.length, 0)
    blockCount += points.length
  }
  return blockCount
}

const readDigests = async (archive: CallArchive, measurement: Measurement, range: ArchiveRange): Promise<string[]> => {
  const digests: string[] = []
  for await (const points of archive.readPoints(measurement, range))
    digests.push(...points.map((point: Point) => digestRecord(measurement, point)))
  return digests
}

/** Checks that the target has each record of a block. It may have more, if voice servers already write to it. */
const compareBlock = async (
  { source, target }: MoveOptions,
  measurement: Measurement,
  range: ArchiveRange,
  counts: MoveCounts,
): Promise<number> => {
  const sourceDigests = await readDigests(source, measurement, range)
  const targetCounts = new Map<string, number>()
  for (const digest of await readDigests(target, measurement, range))
    targetCounts.set(digest, (targetCounts.get(digest) ?? 0) + 1)
  let missingCount = 0
  for (const digest of sourceDigests) {
    const targetCount = targetCounts.get(digest) ?? 0
    if (targetCount === 0) missingCount += 1
    else targetCounts.set(digest, targetCount - 1)
  }
  counts.missingCount += missingCount
  if (missingCount > 0 && counts.missingBlocks.length < maxReportedBlocks) counts.missingBlocks.push(range.startAt)
  counts.checksum = addChecksums(counts.checksum, sourceDigests)
  return sourceDigests.length
}

const handleBlock = { copy: copyBlock, compare: compareBlock } satisfies Record<Phase, typeof copyBlock>

/**
 * Copies all records of one store to another one, and compares each block afterwards. Continues where `state` ends, and
 * updates it. The source is not changed.
 */
export const moveCalls = async (options: MoveOptions): Promise<void> => {
  const { source, state, onBlock } = options
  for (const phase of phases)
    for (const measurement of measurements) {
      const counts = state[phase][measurement]
      await forEachTimeBlock(source, measurement, counts.doneUntil, async (range) => {
        const blockCounts = { ...counts, missingBlocks: [...counts.missingBlocks] }
        const recordCount = await handleBlock[phase](options, measurement, range, blockCounts)
        // Only complete blocks count: an interrupted one is repeated.
        Object.assign(counts, blockCounts, {
          doneUntil: range.endAt,
          recordCount: counts.recordCount + recordCount,
        })
        onBlock(phase, measurement)
        return recordCount
      })
    }
}
