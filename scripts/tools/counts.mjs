import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './paths.mjs'

/**
 * `names` are the failed tests, repeated at the end of a long output. `wavered` are the tests that passed only on a
 * retry; CI allows retries, and they are always listed.
 * @typedef {{ passed: number, failed: number, skipped: number, names?: string[], wavered?: string[] }} Counts
 */

/** @returns {Counts} */
export const none = () => ({ passed: 0, failed: 0, skipped: 0 })

/** @param {Counts[]} all @returns {Counts} */
export const sum = (all) =>
  all.reduce(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
      names: [...(total.names ?? []), ...(one.names ?? [])],
      wavered: [...(total.wavered ?? []), ...(one.wavered ?? [])],
    }),
    none(),
  )

/** @param {Counts} counts */
export const sentence = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`

/** A check without tests counts as one. @param {boolean} good @returns {Counts} */
export const single = (good) => ({ passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 })

/**
 * Counts a failure if a program failed without a failing test.
 * @param {Counts} counts
 * @param {number} code
 * @returns {Counts}
 */
const honest = (counts, code) => (code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts)

/** @param {string} file @param {number} code @param {(report: any) => Counts} read @returns {Counts} */
const fromReport = (file, code, read) => {
  try {
    return honest(read(JSON.parse(readFileSync(file, 'utf8'))), code)
  } catch {
    return single(false)
  }
}

/**
 * Formats one failure as a line: file, test, and the first line of the reason.
 * @param {string} file
 * @param {string} test
 * @param {string} [why]
 */
const named = (file, test, why = '') =>
  [relative(root, file), test, stripVTControlCharacters(why).split('\n')[0]].filter(Boolean).join(' › ')

/**
 * Reads Vitest's JSON report. A file that did not load counts as one failure.
 * @param {string} file
 * @param {number} code
 */
export const vitestCounts = (file, code) =>
  fromReport(file, code, ({ testResults, ...report }) => {
    const brokenFiles = testResults.filter(
      (/** @type {any} */ result) =>
        result.status === 'failed' &&
        !result.assertionResults.some((/** @type {any} */ one) => one.status === 'failed'),
    )
    /** @param {(one: any) => boolean} wanted */
    const namesOf = (wanted) =>
      testResults.flatMap((/** @type {any} */ { name, assertionResults }) =>
        assertionResults
          .filter(wanted)
          .map((/** @type {any} */ one) => named(name, one.fullName, one.failureMessages[0])),
      )
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + brokenFiles.length,
      skipped: report.numPendingTests + report.numTodoTests,
      names: [
        ...brokenFiles.map((/** @type {any} */ { name, message }) => named(name, '', message)),
        ...namesOf(({ status }) => status === 'failed'),
      ],
      wavered: namesOf(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0),
    }
  })

/** The specs of a suite and of its nested suites. @param {any} suite @returns {any[]} */
const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)]

/** Reads Playwright's JSON report. @param {string} file @param {number} code */
export const playwrightCounts = (file, code) =>
  fromReport(file, code, ({ stats, errors, suites }) => {
    /** @param {string} status */
    const namesOf = (status) =>
      specsOf({ suites })
        .filter((spec) => spec.tests.some((/** @type {any} */ test) => test.status === status))
        .map((spec) => named(spec.file, spec.title, spec.tests[0].results[0]?.error?.message))
    return {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected + errors.length,
      skipped: stats.skipped,
      names: namesOf('unexpected'),
      wavered: namesOf('flaky'),
    }
  })
