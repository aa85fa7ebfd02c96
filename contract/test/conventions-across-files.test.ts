import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

/** Conventions that a linter cannot check, because it reads one file at a time. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const ignoredFolders = new Set([
  'node_modules',
  'dist',
  'data',
  'coverage',
  'test-results',
  'playwright-report',
  '.git',
  '.cache',
])

const listFiles = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        if (ignoredFolders.has(entry.name)) return []
        const path = join(folder, entry.name)
        return entry.isDirectory() ? listFiles(path) : [relative(root, path)]
      })
    : []

const files = ['contract', 'server', 'console', 'e2e', 'scripts', 'docs', '.ci'].flatMap((name) =>
  listFiles(join(root, name)),
)
const sourceFiles = files.filter((file) => /\.(ts|tsx|mjs|cjs|js)$/.test(file))
const productionFiles = sourceFiles.filter(
  (file) => /^(contract|server|console)\/src\//.test(file) && !/\.test\.tsx?$/.test(file),
)
const readSource = (file: string) => readFileSync(join(root, file), 'utf8')

/** The imports of a file, and whether each exists at run time (`import type` does not). */
const listImports = (file: string) =>
  [...readSource(file).matchAll(/^(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'/gm)].map(
    ([, type, source]) => ({
      source: source ?? '',
      isRuntime: !type,
    }),
  )

const resolveImport = (from: string, source: string) => {
  let path: string
  if (source.startsWith('.')) path = resolve(root, dirname(from), source)
  else if (source.startsWith('@trunkline/contract/'))
    path = join(root, 'contract/src', source.slice('@trunkline/contract/'.length))
  else return undefined
  const match = ['.ts', '.tsx', '']
    .map((extension) => path + extension)
    .find((name) => /\.tsx?$/.test(name) && existsSync(name))
  return match && relative(root, match)
}

const resolveImports = (file: string, imports: { source: string }[]) =>
  imports.map(({ source }) => resolveImport(file, source) ?? source)

/** The imports of each file, including type imports: paths of our files, names of packages. */
const allImports = new Map(productionFiles.map((file) => [file, resolveImports(file, listImports(file))]))

/** The same without type imports. */
const runtimeImports = new Map(
  productionFiles.map((file) => [
    file,
    resolveImports(
      file,
      listImports(file).filter(({ isRuntime }) => isRuntime),
    ),
  ]),
)

/** Returns the chain of imports from a file to the first match, or undefined if there is none. */
const findImportChain = (start: string, isMatch: (name: string) => boolean, imports = runtimeImports) => {
  const chains = new Map<string, string[]>([[start, [start]]])
  for (const [name, chain] of chains) {
    for (const importedFile of imports.get(name) ?? []) {
      if (isMatch(importedFile)) return [...chain, importedFile]
      if (!chains.has(importedFile)) chains.set(importedFile, [...chain, importedFile])
    }
  }
  return undefined
}

describe('the source code', () => {
  it('is found by this test, with its imports', () => {
    expect(productionFiles.length).toBeGreaterThan(20)
    expect([...runtimeImports.values()].flat().some((name) => name === 'zod')).toBe(true)
    expect([...runtimeImports.values()].flat().some((name) => name.startsWith('contract/src/kit/'))).toBe(true)
  })

  it('has no index files', () => {
    expect(sourceFiles.filter((file) => /^index\.[cm]?[jt]sx?$/.test(basename(file)))).toEqual([])
  })

  it('has no files with meaningless names', () => {
    const vagueName = /^(utils?|helpers?|common|types|misc|shared|constants)\.[cm]?[jt]sx?$/
    expect(sourceFiles.filter((file) => vagueName.test(basename(file)))).toEqual([])
  })

  it('names files in kebab case', () => {
    const violations = sourceFiles.filter((file) => !/^[a-z0-9]+([-.][a-z0-9]+)*$/.test(basename(file)))
    expect(violations).toEqual([])
  })

  it('has no import cycle, not even of types', () => {
    const cycles = productionFiles
      .map((file) => findImportChain(file, (name) => name === file, allImports)?.join(' > '))
      .filter(Boolean)
    expect(cycles).toEqual([])
  })

  it('has no file extensions in imports', () => {
    const violations = productionFiles.flatMap((file) =>
      listImports(file)
        .filter(({ source }) => /^(\.|@trunkline).*\.[jt]sx?$/.test(source))
        .map(({ source }) => `${file}: ${source}`),
    )
    expect(violations).toEqual([])
  })

  it('defines resources without zod at run time', () => {
    const resources = productionFiles.filter((file) => file.startsWith('contract/src/resources/'))
    expect(resources.length).toBeGreaterThan(0)
    expect(
      resources.map((file) => findImportChain(file, (name) => name === 'zod')?.join(' > ')).filter(Boolean),
    ).toEqual([])
  })

  it('renders lists and the sign-in page without zod', () => {
    const filesWithoutZod = productionFiles.filter((file) =>
      /^console\/src\/(lib|session|ui|main|features\/[^/]+\/list)\b/.test(file),
    )
    expect(
      filesWithoutZod.map((file) => findImportChain(file, (name) => name === 'zod')?.join(' > ')).filter(Boolean),
    ).toEqual([])
  })

  it('has a policy line and a shape for every resource', () => {
    const policy = readSource('contract/src/policy/policy.ts')
    const violations = productionFiles
      .filter((file) => file.startsWith('contract/src/resources/'))
      .flatMap((file) => {
        const kind = /\bkind: '(\w+)'/.exec(readSource(file))?.[1]
        if (!kind) return []
        return [
          ...(new RegExp(`^\\s+'?${kind}'?: `, 'm').test(policy) ? [] : [`${file}: no line '${kind}' in policy.ts`]),
          ...(existsSync(join(root, file.replace('/resources/', '/shapes/'))) ? [] : [`${file}: no shape`]),
        ]
      })
    expect(violations).toEqual([])
  })

  it('contains no absolute paths of a development machine', () => {
    const absolutePath = /(?<![\w.)\]}`$:/*-])\/(work|home|root)\/\w/
    const textFiles = [...files, 'README.md', 'CONTRIBUTING.md'].filter(
      (file) => /\.(ts|tsx|mjs|cjs|js|json|md|css|html)$/.test(file) && existsSync(join(root, file)),
    )
    expect(textFiles.filter((file) => absolutePath.test(readSource(file)))).toEqual([])
  })
})
