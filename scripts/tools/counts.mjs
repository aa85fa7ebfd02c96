import { readFileSync } from 'node:fs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

export const none = () => ({ passed: 0, failed: 0, skipped: 0 })

/** @param {Counts[]} all @returns {Counts} */
export const sum = (all) =>
  all.reduce(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
    }),
    none(),
  )

/** @param {Counts} counts */
export const sentence = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`

/** A check that is not made of tests counts as one. @param {boolean} good @returns {Counts} */
export const single = (good) => ({ passed: good ? 1 : 0, failed: good ? 0 : 1, skipped: 0 })

/** A program that fails without a failing test has failed all the same. @param {Counts} counts @param {number} code @returns {Counts} */
const honest = (counts, code) => (code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts)

/** @param {string} file @param {number} code @param {(report: any) => Counts} read @returns {Counts} */
const fromReport = (file, code, read) => {
  try {
    return honest(read(JSON.parse(readFileSync(file, 'utf8'))), code)
  } catch {
    return single(false)
  }
}

/** What Vitest's JSON report says. A file that could not even be loaded counts as one failure. @param {string} file @param {number} code */
export const vitestCounts = (file, code) =>
  fromReport(file, code, (report) => {
    const brokenFiles = report.testResults.filter(
      (/** @type {any} */ result) =>
        result.status === 'failed' &&
        !result.assertionResults.some((/** @type {any} */ one) => one.status === 'failed'),
    )
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + brokenFiles.length,
      skipped: report.numPendingTests + report.numTodoTests,
    }
  })

/** What Playwright's JSON report says. @param {string} file @param {number} code */
export const playwrightCounts = (file, code) =>
  fromReport(file, code, ({ stats, errors }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
  }))
