import type { HealthFinding as Finding } from '@trunkline/contract/shapes/system-health'
import { maskPasswords } from '../db/explain-error'

export type { HealthFinding as Finding } from '@trunkline/contract/shapes/system-health'

/** A check of one part of the installation. It deletes what it creates. */
export interface Check {
  /** Such as 'Database'. */
  name: string
  /** It writes to the database or to buckets, so a server that is polled repeats it rarely. */
  writes?: boolean
  run: () => Promise<Finding[]>
}

export interface CheckResult {
  name: string
  findings: Finding[]
}

/** For one check, which may wait for several servers. */
const checkTimeoutMs = 60_000

export const passed = (summary: string): Finding => ({ status: 'passed', summary })
export const warning = (summary: string, repair: string): Finding => ({ status: 'warning', summary, repair })
export const failed = (summary: string, repair: string): Finding => ({ status: 'failed', summary, repair })

/** Clients of databases and mail servers may repeat the password of a URL in their errors. */
const hidePasswords = (finding: Finding): Finding => ({ ...finding, summary: maskPasswords(finding.summary) })

/** Runs a check. One that throws, or that takes too long, has failed. */
export const runCheck = async ({ name, run }: Check, timeoutMs = checkTimeoutMs): Promise<CheckResult> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<Finding[]>((resolve) => {
    const finding = failed(
      `No answer within ${timeoutMs / 1000} seconds.`,
      'Check the network, and the load of that server.',
    )
    timer = setTimeout(() => resolve([finding]), timeoutMs)
  })
  try {
    const findings = await Promise.race([run(), timeout])
    return { name, findings: findings.map(hidePasswords) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { name, findings: [hidePasswords(failed(message, 'Fix the cause, and run the checks again.'))] }
  } finally {
    clearTimeout(timer)
  }
}

/** Runs the checks concurrently. The results have the order of the checks. */
export const runChecks = (checks: readonly Check[]): Promise<CheckResult[]> =>
  Promise.all(checks.map((check) => runCheck(check)))

/** The worst status of some findings. */
export const getWorstStatus = (findings: readonly Finding[]): Finding['status'] =>
  (['failed', 'warning'] as const).find((status) => findings.some((finding) => finding.status === status)) ?? 'passed'

export const hasFailed = (results: readonly CheckResult[]): boolean =>
  results.some(({ findings }) => getWorstStatus(findings) === 'failed')

const marks = { passed: '✓', warning: '!', failed: '✗' }

/** The report for a terminal. */
export const formatReport = (results: readonly CheckResult[]): string => {
  const width = Math.max(...results.map(({ name }) => name.length))
  const lines = results.flatMap(({ name, findings }) =>
    findings.flatMap(({ status, summary, repair }) => [
      `${marks[status]} ${name.padEnd(width)}  ${summary}`,
      ...(repair ? [`  ${' '.repeat(width)}  → ${repair}`] : []),
    ]),
  )
  const findings = results.flatMap((result) => result.findings)
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length
  return `${lines.join('\n')}\n\n${count('passed')} passed, ${count('warning')} warnings, ${count('failed')} failed\n`
}
