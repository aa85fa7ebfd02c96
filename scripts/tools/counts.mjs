import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './paths.mjs'

/**
 * `failedTests` and `flakyTests` are listed at the end of a run. Flaky tests failed first and passed on a retry, which
 * CI allows.
 * @typedef {{ passed: number, failed: number, skipped: number, failedTests?: string[], flakyTests?: string[] }} Counts
 */

/** @returns {Counts} */
export const createEmptyCounts = () => ({ passed: 0, failed: 0, skipped: 0 })

/** @param {Counts[]} all @returns {Counts} */
export const sumCounts = (all) =>
  all.reduce(
    (total, counts) => ({
      passed: total.passed + counts.passed,
      failed: total.failed + counts.failed,
      skipped: total.skipped + counts.skipped,
      failedTests: [...(total.failedTests ?? []), ...(counts.failedTests ?? [])],
      flakyTests: [...(total.flakyTests ?? []), ...(counts.flakyTests ?? [])],
    }),
    createEmptyCounts(),
  )

/** @param {Counts} counts */
export const formatCounts = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`

/** The counts of a check without tests. @param {boolean} isPassed @returns {Counts} */
export const countCheck = (isPassed) => ({ passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1, skipped: 0 })

/**
 * Adds a failure if a program failed without a failing test.
 * @param {Counts} counts
 * @param {number} code
 * @returns {Counts}
 */
const countExitCode = (counts, code) => (code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts)

/** @param {string} file @param {number} code @param {(report: any) => Counts} parse @returns {Counts} */
const readReport = (file, code, parse) => {
  try {
    return countExitCode(parse(JSON.parse(readFileSync(file, 'utf8'))), code)
  } catch {
    return countCheck(false)
  }
}

/**
 * Formats one failure as a line: file, test, and the first line of the reason.
 * @param {string} file
 * @param {string} test
 * @param {string} [message]
 */
const formatFailure = (file, test, message = '') =>
  [file && relative(root, file), test, stripVTControlCharacters(message).split('\n')[0]].filter(Boolean).join(' › ')

/**
 * Reads Vitest's JSON report. A file that did not load counts as one failure.
 * @param {string} file
 * @param {number} code
 */
export const readVitestCounts = (file, code) =>
  readReport(file, code, ({ testResults, ...report }) => {
    const unloadableFiles = testResults.filter(
      (/** @type {any} */ result) =>
        result.status === 'failed' &&
        !result.assertionResults.some((/** @type {any} */ test) => test.status === 'failed'),
    )
    /** @param {(test: any) => boolean} matches */
    const testNames = (matches) =>
      testResults.flatMap((/** @type {any} */ { name, assertionResults }) =>
        assertionResults
          .filter(matches)
          .map((/** @type {any} */ test) => formatFailure(name, test.fullName, test.failureMessages[0])),
      )
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + unloadableFiles.length,
      skipped: report.numPendingTests + report.numTodoTests,
      failedTests: [
        ...unloadableFiles.map((/** @type {any} */ { name, message }) => formatFailure(name, '', message)),
        ...testNames(({ status }) => status === 'failed'),
      ],
      flakyTests: testNames(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0),
    }
  })

/** The specs of a suite and of its nested suites. @param {any} suite @returns {any[]} */
const flattenSpecs = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(flattenSpecs)]

/** Reads Playwright's JSON report. @param {string} file @param {number} code */
export const readPlaywrightCounts = (file, code) =>
  readReport(file, code, ({ stats, errors, suites }) => {
    /** @param {string} status */
    const testNames = (status) =>
      flattenSpecs({ suites }).flatMap(({ file: specFile, title, tests }) =>
        tests
          .filter((/** @type {any} */ test) => test.status === status)
          .map((/** @type {any} */ { results }) => formatFailure(specFile, title, results[0]?.error?.message)),
      )
    // errors outside of tests, such as a file that does not load
    const errorLines = errors.map((/** @type {any} */ { message, location }) =>
      formatFailure(location?.file ?? '', '', message),
    )
    return {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected + errors.length,
      skipped: stats.skipped,
      failedTests: [...errorLines, ...testNames('unexpected')],
      flakyTests: testNames('flaky'),
    }
  })
