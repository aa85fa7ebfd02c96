import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from './paths.mjs'
import { readPlaywrightCounts, formatCounts, countCheck, sumCounts, readVitestCounts } from './counts.mjs'
import { computeFingerprint } from './fingerprint.mjs'
import { findMissingPlatformPackages } from './lockfile.mjs'
import { getUnsupportedNodeMessage } from './node-version.mjs'

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
    expect(getUnsupportedNodeMessage(version)).toBeNull()
  })
  it.each(['18.20.4', '20.18.3', '21.7.3', '22.11.0'])('%s is refused with the required version', (version) => {
    expect(getUnsupportedNodeMessage(version)).toContain('needs Node 20.19 or newer')
    expect(getUnsupportedNodeMessage(version)).toContain(version)
  })
})

describe('the lockfile', () => {
  it('is complete if it has every platform package where Node looks for it', () => {
    const packages = {
      'node_modules/tool': { optionalDependencies: { '@tool/linux': '1', '@tool/mac': '1' } },
      'node_modules/tool/node_modules/@tool/linux': {},
      'node_modules/@tool/mac': {},
      'console/node_modules/other': { optionalDependencies: { '@tool/mac': '1', '@tool/win': '1' } },
      'console/node_modules/@tool/win': {},
    }
    expect(findMissingPlatformPackages(packages)).toEqual([])
  })
  it('reports a platform package that it lacks', () => {
    const packages = { 'node_modules/tool': { optionalDependencies: { '@tool/linux': '1' } } }
    expect(findMissingPlatformPackages(packages)).toEqual([
      'node_modules/tool needs @tool/linux, which package-lock.json does not contain',
    ])
  })
})

describe('the summary of a test run', () => {
  it('adds up the counts of all tools', () => {
    const vitest = readVitestCounts(
      report({ numPassedTests: 7, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] }),
      0,
    )
    const playwright = readPlaywrightCounts(
      report({ stats: { expected: 3, flaky: 1, unexpected: 2, skipped: 0 }, errors: [], suites: [] }),
      1,
    )
    expect(formatCounts(sumCounts([countCheck(true), vitest, playwright]))).toBe('12 passed, 2 failed, 2 skipped')
  })
  it('omits skipped tests if there are none', () => {
    expect(formatCounts(countCheck(true))).toBe('1 passed, 0 failed')
  })
  it('counts a test file that fails to load', () => {
    const unloadableFile = {
      name: join(root, 'a.test.ts'),
      status: 'failed',
      message: 'No such module',
      assertionResults: [],
    }
    const file = report({
      numPassedTests: 7,
      numFailedTests: 0,
      numPendingTests: 0,
      numTodoTests: 0,
      testResults: [unloadableFile],
    })
    expect(readVitestCounts(file, 1)).toMatchObject({ passed: 7, failed: 1, skipped: 0 })
  })
  it('lists failed and flaky tests with the first line of the error', () => {
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
        assertion('retries', 'passed', 'too slow'),
        assertion('passes', 'passed'),
      ],
    }
    const vitest = { numPassedTests: 2, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0, testResults: [file] }
    const spec = (title: string, status: string) => ({
      file: 'b.spec.ts',
      title,
      tests: [
        { status: 'expected', results: [{}] },
        { status, results: [{ error: { message: 'timed out' } }] },
      ],
    })
    const playwright = {
      stats: { expected: 4, flaky: 1, unexpected: 1, skipped: 0 },
      errors: [{ message: 'unexpected token\nat c.spec.ts', location: { file: join(root, 'c.spec.ts') } }],
      suites: [
        { suites: [{ specs: [spec('opens', 'unexpected'), spec('retries', 'flaky'), spec('passes', 'expected')] }] },
      ],
    }
    const { failedTests, flakyTests } = sumCounts([
      readVitestCounts(report(vitest), 1),
      readPlaywrightCounts(report(playwright), 1),
    ])
    expect(failedTests).toEqual([
      'a.test.ts › adds › expected 2',
      'c.spec.ts › unexpected token',
      'b.spec.ts › opens › timed out',
    ])
    expect(flakyTests).toEqual(['a.test.ts › retries › too slow', 'b.spec.ts › retries › timed out'])
  })
  it('counts a failed tool as a failure even if its report has none', () => {
    const passingReport = { numPassedTests: 7, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] }
    expect(readVitestCounts(report(passingReport), 1).failed).toBe(1)
  })
  it('counts a tool without a report as one failure', () => {
    expect(readVitestCounts(join(folder, 'none.json'), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
})

describe('the fingerprint of sources', () => {
  it('is the same for the same files, and differs for other inputs', () => {
    expect(computeFingerprint(['scripts'])).toBe(computeFingerprint(['scripts']))
    expect(computeFingerprint(['scripts'])).not.toBe(computeFingerprint(['scripts'], ['other']))
    expect(computeFingerprint(['scripts/tools/lockfile.mjs'])).not.toBe(
      computeFingerprint(['scripts/tools/counts.mjs']),
    )
  })
  it('ignores missing folders', () => {
    expect(computeFingerprint(['no/such/folder'])).toBe(computeFingerprint([]))
  })
  it('includes a test file only if the file itself is listed', () => {
    const sources = join(folder, 'sources')
    mkdirSync(sources)
    const testFile = join(sources, 'a.test.ts')
    const write = (text: string) => {
      writeFileSync(testFile, text)
      return {
        ofFolder: computeFingerprint([relative(root, sources)]),
        ofFile: computeFingerprint([relative(root, testFile)]),
      }
    }
    writeFileSync(join(sources, 'a.ts'), '1')
    const before = write('first')
    const after = write('second')
    expect(after.ofFolder).toBe(before.ofFolder)
    expect(after.ofFile).not.toBe(before.ofFile)
    writeFileSync(join(sources, 'a.ts'), '2')
    expect(write('second').ofFolder).not.toBe(before.ofFolder)
  })
})
