// `npm test`: runs all checks and tests, or the parts that the arguments name (see parseArguments).
import { prepare } from './tools/prepare.mjs'
import { exitWithError, forwardSignal } from './tools/run.mjs'

/** The parts in order of execution. Parts of one group run concurrently. */
const partGroups = [
  [
    { name: 'types', title: 'Type check' },
    { name: 'lint', title: 'Lint (ESLint)' },
    { name: 'format', title: 'Formatting (Prettier)' },
    { name: 'dead', title: 'Unused code (knip)' },
    { name: 'lock', title: 'Lockfile contains every platform package' },
    { name: 'audit', title: 'Vulnerabilities in dependencies (npm audit)' },
    { name: 'licenses', title: 'Licenses of run-time dependencies' },
  ],
  [{ name: 'unit', title: 'Unit, API and screen tests (Vitest)' }],
  [{ name: 'build', title: 'Build' }],
  [{ name: 'packages', title: 'Install, start, back up and restore the packages' }],
  [{ name: 'prove', title: 'Isolation, fuzzing, crash and concurrency tests (short)' }],
  [{ name: 'browser', title: 'Browser tests (Playwright)' }],
  [{ name: 'mysql', title: 'API tests and the first-hour browser test on MariaDB' }],
  [{ name: 'node', title: 'Server tests on newer versions of Node, with SQLite and MariaDB' }],
]

/** Parts that run only if they are selected: `mysql` or `--mysql`. */
const optionalParts = ['mysql', 'node']

/** Names that select more than one part. @type {Record<string, string[]>} */
const aliases = {
  check: ['types', 'lint', 'format', 'dead', 'lock', 'audit', 'licenses'],
  lint: ['lint', 'format'],
  e2e: ['browser'],
}

const partNames = partGroups.flat().map(({ name }) => name)

/**
 * Parses the arguments: `npm test`, `npm test -- unit`, `npm test -- --mysql --node`, `npm test -- unit -- contract/src`.
 * @param {string[]} args
 */
const parseArguments = (args) => {
  const separatorIndex = args.indexOf('--')
  const partArgs = separatorIndex < 0 ? args : args.slice(0, separatorIndex)
  const toolArgs = separatorIndex < 0 ? [] : args.slice(separatorIndex + 1)
  const additionalParts = optionalParts.filter((name) => partArgs.includes(`--${name}`))
  const parts = new Set(
    partArgs.filter((arg) => !additionalParts.includes(arg.slice(2))).flatMap((arg) => aliases[arg] ?? [arg]),
  )
  const unknown = [...parts].find((part) => !partNames.includes(part))
  if (unknown)
    exitWithError(
      `Unknown part '${unknown}'. Parts: ${[...partNames, 'check', 'e2e'].join(', ')}. --mysql and --node add these parts.`,
    )
  if (parts.size === 0) for (const name of partNames) if (!optionalParts.includes(name)) parts.add(name)
  for (const name of additionalParts) parts.add(name)
  return { parts, toolArgs }
}

const { parts, toolArgs } = parseArguments(process.argv.slice(2))
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    forwardSignal(signal)
    process.exit(130)
  })
}

await prepare()
const { formatCounts, countCheck, sumCounts } = await import('./tools/counts.mjs')
/** @type {Record<string, (toolArgs: string[]) => Promise<import('./tools/counts.mjs').Counts>>} */
const checks = await import('./tools/checks.mjs')

/** @type {{ title: string, counts: import('./tools/counts.mjs').Counts }[]} */
const results = []

/** @param {{ name: string, title: string }} part */
const runPart = async ({ name, title }) => {
  console.log(`▸ ${title}`)
  const startedAt = Date.now()
  let counts
  try {
    counts = await checks[name]?.(toolArgs)
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
  }
  counts ??= countCheck(false)
  results.push({ title, counts })
  console.log(`${counts.failed ? '✗' : '✓'} ${title} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)\n`)
}

for (const group of partGroups) await Promise.all(group.filter(({ name }) => parts.has(name)).map(runPart))

const total = sumCounts(results.map(({ counts }) => counts))
for (const { title, counts } of results) {
  if (counts.failed) console.log([`Failed: ${title} (${counts.failed})`, ...(counts.failedTests ?? [])].join('\n  '))
}
if (total.flakyTests?.length) console.log(['Flaky (passed on a retry):', ...total.flakyTests].join('\n  '))
console.log(formatCounts(total))
process.exitCode = total.failed ? 1 : 0
