import { nodeComplaint } from './tools/node-version.mjs'
import { root } from './tools/paths.mjs'
import { giveUp, orGiveUp, signalRunning } from './tools/run.mjs'

/** The parts in the order in which they run; parts of the same group run concurrently. */
const plan = [
  [
    { name: 'types', title: 'Type check' },
    { name: 'lint', title: 'Lint (ESLint with the rules of the house)' },
  ],
  [
    { name: 'format', title: 'Formatting (Prettier)' },
    { name: 'dead', title: 'Dead code (knip)' },
    { name: 'lock', title: 'Lockfile holds every platform package' },
    { name: 'audit', title: 'Known vulnerabilities of dependencies (npm audit)' },
  ],
  [{ name: 'unit', title: 'Unit, API and screen tests (Vitest)' }],
  [{ name: 'build', title: 'Build' }],
  [{ name: 'prove', title: 'Isolation, hostile input and crashes (short form)' }],
  [{ name: 'browser', title: 'Browser tests (Playwright)' }],
  [{ name: 'mysql', title: 'API tests and the first hour on MariaDB' }],
]

/** Names that select more than one part. @type {Record<string, string[]>} */
const groups = {
  check: ['types', 'lint', 'format', 'dead', 'lock', 'audit'],
  lint: ['lint', 'format'],
  e2e: ['browser'],
}

const names = plan.flat().map(({ name }) => name)

/**
 * Parses the arguments: `npm test`, `npm test -- unit`, `npm test -- --mysql`, `npm test -- unit -- contract/src`.
 * @param {string[]} words
 */
const asked = (words) => {
  const border = words.indexOf('--')
  const chosen = border < 0 ? words : words.slice(0, border)
  const rest = border < 0 ? [] : words.slice(border + 1)
  const parts = new Set(chosen.filter((word) => word !== '--mysql').flatMap((word) => groups[word] ?? [word]))
  const unknown = [...parts].find((part) => !names.includes(part))
  if (unknown)
    giveUp(`There is no part '${unknown}'. There are: ${[...names, 'check', 'e2e'].join(', ')}; --mysql adds the last.`)
  if (parts.size === 0) for (const name of names) if (name !== 'mysql') parts.add(name)
  if (chosen.includes('--mysql')) parts.add('mysql')
  return { parts, rest }
}

const complaint = nodeComplaint(process.versions.node)
if (complaint) giveUp(complaint)
const { parts, rest } = asked(process.argv.slice(2))
process.chdir(root)
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => {
    signalRunning(signal)
    process.exit(130)
  })
}

const { ensureInstalled } = await import('./tools/install.mjs')
await orGiveUp(ensureInstalled)
const { sentence, single, sum } = await import('./tools/counts.mjs')
/** @type {Record<string, (rest: string[]) => Promise<import('./tools/counts.mjs').Counts>>} */
const checks = await import('./tools/checks.mjs')

/** @type {{ title: string, counts: import('./tools/counts.mjs').Counts }[]} */
const results = []

/** @param {{ name: string, title: string }} part */
const runPart = async ({ name, title }) => {
  console.log(`▸ ${title}`)
  const since = Date.now()
  let counts
  try {
    counts = await checks[name]?.(rest)
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
  }
  counts ??= single(false)
  results.push({ title, counts })
  console.log(`${counts.failed ? '✗' : '✓'} ${title} (${((Date.now() - since) / 1000).toFixed(1)} s)\n`)
}

for (const row of plan) await Promise.all(row.filter(({ name }) => parts.has(name)).map(runPart))

const total = sum(results.map(({ counts }) => counts))
for (const { title, counts } of results) {
  if (counts.failed) console.log([`Failed: ${title} (${counts.failed})`, ...(counts.names ?? [])].join('\n  '))
}
if (total.wavered?.length) console.log(['Passed only when tried again:', ...total.wavered].join('\n  '))
console.log(sentence(total))
process.exitCode = total.failed ? 1 : 0
