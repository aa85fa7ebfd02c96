import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serverBundleOptions } from '../../scripts/tools/server-bundle-options.mjs'
import { createTemporaryFolder } from './process'

const { folder, remove } = createTemporaryFolder()
afterAll(remove)

const source = `
import '${join(import.meta.dirname, '..', 'src', 'stack-traces')}'
const fail = (text: string): never => {
  throw new TypeError(text)
}
try {
  fail('caught')
} catch (error) {
  console.log((error as Error).stack)
}
setTimeout(() => {
  throw new Error('uncaught', { cause: new TypeError('reason') })
})
`

/** Runs a built program that fails. */
const runProgram = async () => {
  const entryPoint = join(folder, 'program.ts')
  writeFileSync(entryPoint, source)
  const outfile = join(folder, 'dist', 'program.mjs')
  await build({ ...serverBundleOptions, entryPoints: [entryPoint], outfile, sourcemap: true, sourcesContent: false })
  return promisify(execFile)(process.execPath, [outfile]).then(
    () => expect.unreachable(),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  )
}

let result: Awaited<ReturnType<typeof runProgram>>
beforeAll(async () => {
  result = await runProgram()
})

it('name the source files', () => {
  expect(result.stdout).toMatch(
    /^TypeError: caught\n    at fail \(\S+\/program\.ts:4:9\)\n    at \S+\/program\.ts:7:3\n/,
  )
})

it('of an uncaught error are printed with its cause, and without the line of the built file', () => {
  expect(result.code).toBe(1)
  expect(result.stderr).toMatch(/^Uncaught Error: uncaught\n    at .+\/program\.ts:12:9\)\n/)
  expect(result.stderr).toMatch(/\[cause\]: TypeError: reason\n +at .+\/program\.ts:12:40\)\n/)
})
