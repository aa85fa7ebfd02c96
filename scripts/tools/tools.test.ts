import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from './paths.mjs'
import { playwrightCounts, sentence, single, sum, vitestCounts } from './counts.mjs'
import { fingerprint } from './fingerprint.mjs'
import { missingFromLock } from './lock.mjs'
import { nodeComplaint } from './node-version.mjs'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunkline-tools-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const report = (content: unknown) => {
  const file = join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(content))
  return file
}

describe('the Node version', () => {
  it.each(['20.19.0', '20.20.2', '22.12.0', '24.1.0', '26.0.0'])('%s is supported', (version) => {
    expect(nodeComplaint(version)).toBeNull()
  })
  it.each(['18.20.4', '20.18.3', '21.7.3', '22.11.0'])('%s causes an error with the required version', (version) => {
    expect(nodeComplaint(version)).toContain('needs Node 20.19 or newer')
    expect(nodeComplaint(version)).toContain(version)
  })
})

describe('the lockfile', () => {
  it('is complete if it contains every platform package where Node would find it', () => {
    const packages = {
      'node_modules/tool': { optionalDependencies: { '@tool/linux': '1', '@tool/mac': '1' } },
      'node_modules/tool/node_modules/@tool/linux': {},
      'node_modules/@tool/mac': {},
      'console/node_modules/other': { optionalDependencies: { '@tool/mac': '1', '@tool/win': '1' } },
      'console/node_modules/@tool/win': {},
    }
    expect(missingFromLock(packages)).toEqual([])
  })
  it('names the package that a mirror lacked', () => {
    const packages = { 'node_modules/tool': { optionalDependencies: { '@tool/linux': '1' } } }
    expect(missingFromLock(packages)).toEqual([
      'node_modules/tool wants @tool/linux, which package-lock.json does not hold',
    ])
  })
})

describe('the summary of a test run', () => {
  it('adds up the counts of the tools', () => {
    const vitest = vitestCounts(
      report({ numPassedTests: 7, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] }),
      0,
    )
    const playwright = playwrightCounts(
      report({ stats: { expected: 3, flaky: 1, unexpected: 2, skipped: 0 }, errors: [], suites: [] }),
      1,
    )
    expect(sentence(sum([single(true), vitest, playwright]))).toBe('12 passed, 2 failed, 2 skipped')
  })
  it('omits skipped tests if there are none', () => {
    expect(sentence(single(true))).toBe('1 passed, 0 failed')
  })
  it('counts a test file that fails to load', () => {
    const broken = { name: join(root, 'a.test.ts'), status: 'failed', message: 'No such module', assertionResults: [] }
    const file = report({
      numPassedTests: 7,
      numFailedTests: 0,
      numPendingTests: 0,
      numTodoTests: 0,
      testResults: [broken],
    })
    expect(vitestCounts(file, 1)).toMatchObject({ passed: 7, failed: 1, skipped: 0 })
  })
  it('names failed and flaky tests, with the first line of the error', () => {
    const assertion = (fullName: string, status: string, ...failureMessages: string[]) => ({
      fullName,
      status,
      failureMessages,
    })
    const file = {
      name: join(root, 'a.test.ts'),
      status: 'failed',
      assertionResults: [
        assertion('adds', 'failed', '\u001b[31mexpected 2\u001b[39m\nat a.test.ts'),
        assertion('wavers', 'passed', 'too slow'),
        assertion('stands', 'passed'),
      ],
    }
    const vitest = { numPassedTests: 2, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0, testResults: [file] }
    const spec = (title: string, status: string) => ({
      file: 'b.spec.ts',
      title,
      tests: [{ status, results: [{ error: { message: 'timed out' } }] }],
    })
    const playwright = {
      stats: { expected: 1, flaky: 1, unexpected: 1, skipped: 0 },
      errors: [],
      suites: [
        { suites: [{ specs: [spec('opens', 'unexpected'), spec('blinks', 'flaky'), spec('stays', 'expected')] }] },
      ],
    }
    const { names, wavered } = sum([vitestCounts(report(vitest), 1), playwrightCounts(report(playwright), 1)])
    expect(names).toEqual(['a.test.ts › adds › expected 2', 'b.spec.ts › opens › timed out'])
    expect(wavered).toEqual(['a.test.ts › wavers › too slow', 'b.spec.ts › blinks › timed out'])
  })
  it('counts a failed tool as a failure although its report contains none', () => {
    const well = { numPassedTests: 7, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] }
    expect(vitestCounts(report(well), 1).failed).toBe(1)
  })
  it('counts a tool without a report as one failure', () => {
    expect(vitestCounts(join(folder, 'none.json'), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})

describe('the fingerprint of sources', () => {
  it('is equal for equal files, and changes with other inputs', () => {
    expect(fingerprint(['scripts'])).toBe(fingerprint(['scripts']))
    expect(fingerprint(['scripts'])).not.toBe(fingerprint(['scripts'], ['other']))
    expect(fingerprint(['scripts/tools/lock.mjs'])).not.toBe(fingerprint(['scripts/tools/counts.mjs']))
  })
  it('ignores missing folders, and covers a test file only if it is named', () => {
    expect(fingerprint(['scripts/tools/tools.test.ts'])).not.toBe(fingerprint(['scripts/tools']))
    expect(fingerprint(['no/such/folder'])).toBe(fingerprint([]))
  })
})
