import { CancelledError } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential, SpeechTest } from '@trunkline/contract/shapes/speech-credential'
import { runEach } from '../../kit/list/run-bulk'
import { statusTexts } from './test-status'
import { findStatusReason, getOverallStatus, isUntestable } from './test-status-values'

/** A service whose test failed in at least one direction, and why. */
export interface TestFailure {
  row: SpeechCredential
  reason: string
}

/** The result of a test run. */
export interface TestSummary {
  passedCount: number
  failures: TestFailure[]
  /** Services in which nothing can be tested, or whose test was cancelled. */
  untestedCount: number
  isCancelled: boolean
}

export interface TestProgress {
  doneCount: number
  total: number
  /** The SIDs of the services whose test has not started. */
  waitingSids: ReadonlySet<string>
}

interface TestRunOptions {
  /** Tests one service. */
  runTest: (row: SpeechCredential) => Promise<SpeechTest>
  /** Starts no further test. Running tests end normally. */
  signal: AbortSignal
  onProgress: (progress: TestProgress) => void
}

/** Tests services, a few at a time. Throws if the session ends. */
export const runTests = async (
  rows: readonly SpeechCredential[],
  { runTest, signal, onProgress }: TestRunOptions,
): Promise<TestSummary> => {
  const testableRows = rows.filter((row) => !isUntestable(row))
  const waitingSids = new Set(testableRows.map(({ speech_credential_sid }) => speech_credential_sid))
  const reasons = new Map<SpeechCredential, string>()
  let passedCount = 0
  let doneCount = 0
  const reportProgress = () => onProgress({ doneCount, total: testableRows.length, waitingSids: new Set(waitingSids) })

  const testRow = async (row: SpeechCredential) => {
    if (signal.aborted) return
    waitingSids.delete(row.speech_credential_sid)
    reportProgress()
    try {
      const test = await runTest(row)
      const status = getOverallStatus(row, test)
      if (status === 'success') passedCount += 1
      else if (status !== 'untestable') reasons.set(row, findStatusReason(row, test) ?? statusTexts.fail)
    } catch (error) {
      // the service was changed or deleted meanwhile
      if (!(error instanceof CancelledError)) throw error
    } finally {
      doneCount += 1
      reportProgress()
    }
  }

  for (const { row, message } of await runEach(testableRows, testRow, () => undefined)) reasons.set(row, message)
  return {
    passedCount,
    failures: testableRows.flatMap((row) => {
      const reason = reasons.get(row)
      return reason === undefined ? [] : [{ row, reason }]
    }),
    untestedCount: rows.length - passedCount - reasons.size,
    isCancelled: signal.aborted,
  }
}

/** Describes a summary in one line: '7 of 9 passed, 1 not tested'. */
export const formatSummary = ({ passedCount, failures, untestedCount, isCancelled }: TestSummary): string => {
  const testedCount = passedCount + failures.length
  const counts = [
    ...(testedCount > 0 ? [`${passedCount} of ${testedCount} passed`] : []),
    ...(untestedCount > 0 ? [`${untestedCount} not tested`] : []),
  ].join(', ')
  if (counts === '') return messages.none
  return isCancelled ? `Cancelled: ${counts}` : counts
}
