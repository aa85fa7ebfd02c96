import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { buildParts } from './build.mjs'
import { projectPath } from './paths.mjs'

it('builds the console again after a change of a tool that its Vite configuration imports', () => {
  const config = readFileSync(projectPath('console', 'vite.config.ts'), 'utf8')
  const tools = [...config.matchAll(/from '\.\.\/(scripts\/tools\/[^']+)'/g)].map(([, path]) => path)
  expect(tools.length).toBeGreaterThan(0)
  expect(buildParts.console.inputs).toEqual(expect.arrayContaining(tools))
})
