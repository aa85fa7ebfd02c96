/** What a check found. `remedy` tells the operator what to do. */
export interface Finding {
  status: 'ok' | 'warning' | 'failed'
  message: string
  remedy?: string
}

/** A check of one part of the installation. It deletes what it creates. */
export interface Check {
  /** Such as 'Database'. */
  name: string
  run: () => Promise<Finding[]>
}

export interface CheckResult {
  name: string
  findings: Finding[]
}

/** For one check, which may wait for several servers. */
const checkTimeoutMs = 60_000

export const ok = (message: string): Finding => ({ status: 'ok', message })
export const warning = (message: string, remedy: string): Finding => ({ status: 'warning', message, remedy })
export const failed = (message: string, remedy: string): Finding => ({ status: 'failed', message, remedy })

const runCheck = async ({ name, run }: Check): Promise<CheckResult> => {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<Finding[]>((resolve) => {
    const finding = failed(
      `No answer within ${checkTimeoutMs / 1000} seconds.`,
      'Check the network, and the load of that server.',
    )
    timer = setTimeout(() => resolve([finding]), checkTimeoutMs)
  })
  try {
    return { name, findings: await Promise.race([run(), timeout]) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { name, findings: [failed(message, 'Fix the cause, and run the checks again.')] }
  } finally {
    clearTimeout(timer)
  }
}

/** Runs the checks one after the other. A check that throws has failed. */
export const runChecks = async (checks: readonly Check[]): Promise<CheckResult[]> => {
  const results: CheckResult[] = []
  for (const check of checks) results.push(await runCheck(check))
  return results
}

export const hasFailed = (results: readonly CheckResult[]): boolean =>
  results.some(({ findings }) => findings.some(({ status }) => status === 'failed'))

const marks = { ok: '✓', warning: '!', failed: '✗' }

/** The report for a terminal. */
export const formatReport = (results: readonly CheckResult[]): string => {
  const width = Math.max(...results.map(({ name }) => name.length))
  const lines = results.flatMap(({ name, findings }) =>
    findings.flatMap(({ status, message, remedy }) => [
      `${marks[status]} ${name.padEnd(width)}  ${message}`,
      ...(remedy ? [`  ${' '.repeat(width)}  → ${remedy}`] : []),
    ]),
  )
  const findings = results.flatMap((result) => result.findings)
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length
  return `${lines.join('\n')}\n\n${count('ok')} ok, ${count('warning')} warnings, ${count('failed')} failed\n`
}
