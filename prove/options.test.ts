import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { projectPath } from '../scripts/tools/paths.mjs'
import { parseProveOptions, proofNames, usage } from './options.mjs'

describe('the options of npm run prove', () => {
  it('are all optional', () => {
    expect(parseProveOptions([])).toMatchObject({ needsHelp: false, isShort: false, names: proofNames })
    expect(parseProveOptions(['crash', 'disk', '--short', '--seed', '7', '--count', '3'])).toEqual({
      needsHelp: false,
      isShort: true,
      seed: 7,
      count: 3,
      names: ['crash', 'disk'],
    })
  })

  it.each([
    [['nope'], "There is no part 'nope'."],
    [['--count', '-1'], '--seed and --count need a whole number, the other options no value.'],
    [['--count', '0'], '--count must be a whole number from 1 on.'],
    [['--seed', 'x'], '--seed must be a whole number from 0 on.'],
    [['--bad'], "Unknown option '--bad'."],
  ])('%j is refused in one sentence', (args, message) => {
    expect(() => parseProveOptions(args)).toThrow(new Error(message))
  })

  it('are checked before anything is built', () => {
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [projectPath('scripts', 'prove.mjs'), ...args], {
        encoding: 'utf8',
      })
      return { status, stdout, stderr }
    }
    expect(run('--help')).toEqual({ status: 0, stdout: `${usage}\n`, stderr: '' })
    expect(run('nope')).toEqual({ status: 1, stdout: '', stderr: `There is no part 'nope'.\n${usage}\n` })
  })
})
