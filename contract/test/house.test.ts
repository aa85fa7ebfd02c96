import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Rules across files, which a linter cannot check because it sees one file at a time. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const skipped = new Set([
  'node_modules',
  'dist',
  'data',
  'coverage',
  'test-results',
  'playwright-report',
  '.git',
  '.cache',
])

const below = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        if (skipped.has(entry.name)) return []
        const path = join(folder, entry.name)
        return entry.isDirectory() ? below(path) : [relative(root, path)]
      })
    : []

const files = ['contract', 'server', 'console', 'e2e', 'scripts', 'docs', '.ci'].flatMap((name) =>
  below(join(root, name)),
)
const sources = files.filter((file) => /\.(ts|tsx|mjs|cjs|js)$/.test(file))
const code = sources.filter((file) => /^(contract|server|console)\/src\//.test(file) && !/\.test\.tsx?$/.test(file))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The imports of a file, and whether each exists at run time (`import type` does not). */
const importsOf = (file: string) =>
  [...read(file).matchAll(/^(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'/gm)].map(
    ([, type, source]) => ({
      source: source ?? '',
      atRunTime: !type,
    }),
  )

const fileOf = (from: string, source: string) => {
  let path: string
  if (source.startsWith('.')) path = resolve(root, dirname(from), source)
  else if (source.startsWith('@trunkline/contract/'))
    path = join(root, 'contract/src', source.slice('@trunkline/contract/'.length))
  else return undefined
  const found = ['.ts', '.tsx', '']
    .map((ending) => path + ending)
    .find((name) => /\.tsx?$/.test(name) && existsSync(name))
  return found && relative(root, found)
}

/** Each file's imports at run time: paths of our files, names of packages. */
const needs = new Map(
  code.map((file) => [
    file,
    importsOf(file)
      .filter(({ atRunTime }) => atRunTime)
      .map(({ source }) => fileOf(file, source) ?? source),
  ]),
)

/** Returns the chain of imports from a file to the first match, or undefined if there is none. */
const wayTo = (start: string, wanted: (name: string) => boolean) => {
  const ways = new Map<string, string[]>([[start, [start]]])
  for (const [name, way] of ways) {
    for (const next of needs.get(name) ?? []) {
      if (wanted(next)) return [...way, next]
      if (!ways.has(next)) ways.set(next, [...way, next])
    }
  }
  return undefined
}

describe('the code base', () => {
  it('is found by this test', () => {
    expect(code.length).toBeGreaterThan(20)
    expect([...needs.values()].flat().some((name) => name === 'zod')).toBe(true)
    expect([...needs.values()].flat().some((name) => name.startsWith('contract/src/kit/'))).toBe(true)
  })

  it('has no index files', () => {
    expect(sources.filter((file) => /^index\.[cm]?[jt]sx?$/.test(basename(file)))).toEqual([])
  })

  it('has no files with meaningless names', () => {
    const empty = /^(utils?|helpers?|common|types|misc|shared|constants)\.[cm]?[jt]sx?$/
    expect(sources.filter((file) => empty.test(basename(file)))).toEqual([])
  })

  it('names files in kebab case', () => {
    const wrong = sources.filter((file) => !/^[a-z0-9]+([-.][a-z0-9]+)*$/.test(basename(file)))
    expect(wrong).toEqual([])
  })

  it('has no import cycle', () => {
    const cycles = code.map((file) => wayTo(file, (name) => name === file)?.join(' > ')).filter(Boolean)
    expect(cycles).toEqual([])
  })

  it('has no file extensions in imports', () => {
    const wrong = code.flatMap((file) =>
      importsOf(file)
        .filter(({ source }) => /^(\.|@trunkline).*\.[jt]sx?$/.test(source))
        .map(({ source }) => `${file}: ${source}`),
    )
    expect(wrong).toEqual([])
  })

  it('defines resources without zod at run time', () => {
    const resources = code.filter((file) => file.startsWith('contract/src/resources/'))
    expect(resources.length).toBeGreaterThan(0)
    expect(resources.map((file) => wayTo(file, (name) => name === 'zod')?.join(' > ')).filter(Boolean)).toEqual([])
  })

  it('renders lists and the sign-in page without zod', () => {
    const light = code.filter((file) => /^console\/src\/(lib|session|ui|main|features\/[^/]+\/list)\b/.test(file))
    expect(light.map((file) => wayTo(file, (name) => name === 'zod')?.join(' > ')).filter(Boolean)).toEqual([])
  })

  it('has a policy line and a shape for every resource', () => {
    const policy = read('contract/src/policy/policy.ts')
    const missing = code
      .filter((file) => file.startsWith('contract/src/resources/'))
      .flatMap((file) => {
        const kind = /\bkind: '(\w+)'/.exec(read(file))?.[1]
        if (!kind) return []
        return [
          ...(new RegExp(`^\\s+'?${kind}'?: `, 'm').test(policy) ? [] : [`${file}: no line '${kind}' in policy.ts`]),
          ...(existsSync(join(root, file.replace('/resources/', '/shapes/'))) ? [] : [`${file}: no shape`]),
        ]
      })
    expect(missing).toEqual([])
  })

  it('contains no absolute paths of a development machine', () => {
    const absolute = /(?<![\w.)\]}`$:/*-])\/(work|home|root)\/\w/
    const texts = [...files, 'README.md', 'CONTRIBUTING.md'].filter(
      (file) => /\.(ts|tsx|mjs|cjs|js|json|md|css|html)$/.test(file) && existsSync(join(root, file)),
    )
    expect(texts.filter((file) => absolute.test(read(file)))).toEqual([])
  })
})
