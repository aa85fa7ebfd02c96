import { runNpm } from './run.mjs'

/**
 * The result of an audit: the packages with serious advisories, and the number of others; undefined if the registry has
 * no audit service.
 * @typedef {{ serious: string[], others: number }} Audit
 */

const serious = ['high', 'critical']

/** Extracts the JSON from npm's output, which may have warnings around it. @param {string} output */
const jsonIn = (output) => {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
  } catch {
    return undefined
  }
}

/** @param {string} output the output of `npm audit --json` @returns {Audit | undefined} */
export const readAudit = (output) => {
  /** @type {{ vulnerabilities?: Record<string, { severity: string, range?: string }> } | undefined} */
  const report = jsonIn(output)
  if (!report?.vulnerabilities) return undefined
  const found = Object.entries(report.vulnerabilities)
  const names = found
    .filter(([, { severity }]) => serious.includes(severity))
    .map(([name, { severity, range }]) => `${name} ${range ?? ''} (${severity})`.replace('  ', ' '))
  return { serious: names, others: found.length - names.length }
}

/** @param {string[]} options */
const audit = async (options) => readAudit((await runNpm(['audit', '--json', ...options], { quiet: true })).output)

/**
 * Checks the registry for known vulnerabilities. In run-time dependencies they fail the check from `high` on; in tools
 * they are only reported, because tools never reach a server.
 */
export const auditPasses = async () => {
  const runtime = await audit(['--omit=dev'])
  if (!runtime) {
    console.log('Vulnerabilities were not checked: this registry has no audit service, or cannot be reached.')
    return true
  }
  for (const line of runtime.serious) console.log(`Vulnerable: ${line}`)
  const all = await audit([])
  const inTools = (all?.serious.length ?? 0) - runtime.serious.length
  if (runtime.others > 0) console.log(`${runtime.others} run-time packages have advisories below high.`)
  if (inTools > 0) console.log(`${inTools} development packages have advisories of high or critical severity.`)
  return runtime.serious.length === 0
}
