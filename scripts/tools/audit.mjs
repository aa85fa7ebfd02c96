import { runNpm } from './run.mjs'

/**
 * The result of an audit: the packages with serious advisories, and the number of packages with other advisories.
 * Undefined if the registry has no audit service.
 * @typedef {{ seriousPackages: string[], otherCount: number }} Audit
 */

const seriousSeverities = ['high', 'critical']

/** Extracts the JSON from npm's output, which may have warnings around it. @param {string} output */
const extractJson = (output) => {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  } catch {
    return undefined
  }
}

/** @param {string} output the output of `npm audit --json` @returns {Audit | undefined} */
export const parseAudit = (output) => {
  /** @type {{ vulnerabilities?: Record<string, { severity: string, range?: string }> } | undefined} */
  const report = extractJson(output)
  if (!report?.vulnerabilities) return undefined
  const advisories = Object.entries(report.vulnerabilities)
  const seriousPackages = advisories
    .filter(([, { severity }]) => seriousSeverities.includes(severity))
    .map(([name, { severity, range }]) => `${name} ${range ?? ''} (${severity})`.replace('  ', ' '))
  return { seriousPackages, otherCount: advisories.length - seriousPackages.length }
}

/** @param {string[]} options */
const audit = async (options) =>
  parseAudit((await runNpm(['audit', '--json', ...options], { captureOutput: true })).output)

/**
 * Checks the dependencies for known vulnerabilities. Serious ones in run-time dependencies fail the check. Those in
 * development dependencies are only reported, because they do not run on a server.
 */
export const checkAudit = async () => {
  const runtime = await audit(['--omit=dev'])
  if (!runtime) {
    console.log('Vulnerabilities were not checked: the registry cannot be reached or has no audit service.')
    return true
  }
  for (const line of runtime.seriousPackages) console.log(`Vulnerable: ${line}`)
  const allPackages = await audit([])
  const developmentCount = (allPackages?.seriousPackages.length ?? 0) - runtime.seriousPackages.length
  if (runtime.otherCount > 0)
    console.log(`${runtime.otherCount} run-time packages have advisories below high severity.`)
  if (developmentCount > 0)
    console.log(`${developmentCount} development packages have advisories of high or critical severity.`)
  return runtime.seriousPackages.length === 0
}
