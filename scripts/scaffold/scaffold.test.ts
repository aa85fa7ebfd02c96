import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectPath } from '../tools/paths.mjs'
import { runNode } from '../tools/run.mjs'
import { scaffold } from './scaffold.mjs'

const workspaces = ['contract', 'server', 'console']

/** Links the installed packages, except the workspaces, which the copy contains. */
const linkPackages = (from: string, to: string) => {
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from)) if (name !== '@trunkline') symlinkSync(join(from, name), join(to, name))
}

const copyProject = (folder: string) => {
  for (const name of workspaces) {
    const isSource = (path: string) => !/[/\\](node_modules|dist)$/.test(path)
    cpSync(projectPath(name), join(folder, name), { recursive: true, filter: isSource })
    linkPackages(projectPath(name, 'node_modules'), join(folder, name, 'node_modules'))
  }
  // Tests of the server use the doubles of the demo, and bundle the server as the build does.
  for (const name of ['launch', 'tools'])
    cpSync(projectPath('scripts', name), join(folder, 'scripts', name), { recursive: true })
  for (const file of [
    'package.json',
    'tsconfig.base.json',
    'vitest.config.ts',
    'prettier.config.js',
    '.prettierrc.json',
  ])
    if (existsSync(projectPath(file))) cpSync(projectPath(file), join(folder, file))
  linkPackages(projectPath('node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'node_modules/@trunkline'))
  for (const name of workspaces) symlinkSync(join(folder, name), join(folder, 'node_modules/@trunkline', name))
}

describe('the scaffold of a resource', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'trunkline-scaffold-'))
    copyProject(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('refuses invalid names and existing resources, and writes nothing', async () => {
    await expect(scaffold(folder, 'CallTag')).rejects.toThrow('kebab case')
    await expect(scaffold(folder, '')).rejects.toThrow('kebab case')
    await expect(scaffold(folder, 'client')).rejects.toThrow('contract/src/resources/client.ts already exists.')
    expect(existsSync(join(folder, 'server/src/resources/call-tags'))).toBe(false)
  })

  it('adds a resource that compiles and passes its own tests', { timeout: 300_000 }, async () => {
    const { written } = await scaffold(folder, 'call-tag')
    expect(written).toContain('server/src/resources/call-tags/routes.ts')
    const options = { captureOutput: true, cwd: folder }
    // both include the contract
    for (const name of ['server', 'console']) {
      const { output } = await runNode(
        [projectPath('node_modules/typescript-7/bin/tsc'), '--project', join(folder, name)],
        options,
      )
      expect(output.replace(/^npm warn .*$/gm, '').trim()).toBe('')
    }
    const testRun = await runNode(
      [projectPath('node_modules/vitest/vitest.mjs'), 'run', '--project', 'server', 'server/src/resources/call-tags'],
      options,
    )
    expect({ ...testRun, output: testRun.code ? testRun.output : '' }).toEqual({ code: 0, output: '' })
  })
})
