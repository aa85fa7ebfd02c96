import { limitConcurrency } from '../../lib/limit-concurrency'
import { Problem, getErrorMessage } from '../../lib/problem'

/** A record that an operation could not change, and why. */
export interface BulkFailure<Row> {
  row: Row
  message: string
}

/** Changes many records. Returns those that failed; all others are changed. */
export type BulkRun<Row> = (
  rows: readonly Row[],
  onProgress: (doneCount: number) => void,
) => Promise<BulkFailure<Row>[]>

/** An operation on the selected records. */
export interface BulkOperation<Row> {
  /** Shown while it runs: 'Deleting accounts'. */
  label: string
  run: BulkRun<Row>
  /** For the result: '3 accounts deleted', '1 account could not be deleted'. */
  participle: string
  /** Shown as a toast if at least one record was changed. */
  toastText?: string
  /** Restores changed records, which are given as they were before. Absent if the API cannot do that. */
  undo?: BulkRun<Row>
}

/** The maximum number of concurrent requests. */
const maxConcurrentRequests = 4

/** Changes each record with its own request, a few at a time. A failure does not stop the others; a sign-out does. */
export const runEach = async <Row>(
  rows: readonly Row[],
  runOne: (row: Row) => Promise<unknown>,
  onProgress: (doneCount: number) => void,
): Promise<BulkFailure<Row>[]> => {
  const limit = limitConcurrency(maxConcurrentRequests)
  const failures: BulkFailure<Row>[] = []
  let sessionEnd: Problem | undefined
  let doneCount = 0
  const run = async (row: Row) => {
    if (sessionEnd) return
    try {
      await runOne(row)
    } catch (error) {
      if (error instanceof Problem && error.hasEndedSession) sessionEnd = error
      failures.push({ row, message: getErrorMessage(error) })
    }
    onProgress((doneCount += 1))
  }
  await Promise.all(rows.map((row) => limit(() => run(row))))
  if (sessionEnd) throw sessionEnd
  // in the order of the records, not of the responses
  return failures.toSorted((a, b) => rows.indexOf(a.row) - rows.indexOf(b.row))
}
