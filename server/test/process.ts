import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..', '..')
// in a folder of server/, so that it finds the server's packages, and the project's root two levels up
const bundle = join(root, 'server', '.cache', 'start-test.js')

/** Bundles the server once, because compiling at the start takes a second per process. */
export const bundled = () =>
  build({
    entryPoints: [join(root, 'server', 'src', 'main.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    plugins: [
      {
        name: 'contract',
        setup: (bundler) =>
          bundler.onResolve({ filter: /^@trunkline\/contract\// }, ({ path }) => ({
            path: join(root, 'contract', 'src', `${path.slice('@trunkline/contract/'.length)}.ts`),
          })),
      },
    ],
    logLevel: 'warning',
  })

export interface Server {
  /** The output so far. */
  stdout(): string
  stderr(): string
  /** Resolves to the server's URL once it listens; rejects if it exits before. */
  ready: Promise<string>
  /** The exit code or signal. */
  ended: Promise<number | string>
  kill(signal: NodeJS.Signals): void
}

const running = new Set<ChildProcess>()

/** Starts the server as a process with only these settings in its environment. */
export const start = (environment: Record<string, string>): Server => {
  const child = spawn(process.execPath, [bundle], {
    env: { PATH: process.env.PATH, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const body = { out: '', error: '' }
  const ended = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child)
      resolve(code ?? signal ?? 'unknown')
    })
  })
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      body.out += String(chunk)
      const address = /ready at (\S+)[\s\S]*\n\n/.exec(body.out)?.[1]
      if (address) resolve(address)
    })
    void ended.then(() => reject(new Error(`stopped before it was ready: ${body.error}`)))
  })
  // A test that awaits only the end must not fail because of an unhandled rejection.
  ready.catch(() => undefined)
  child.stderr.on('data', (chunk: Buffer) => (body.error += String(chunk)))
  return { stdout: () => body.out, stderr: () => body.error, ready, ended, kill: (signal) => void child.kill(signal) }
}

/** Stops processes that a failed test has left running. */
export const stopAll = (): void => running.forEach((child) => child.kill('SIGKILL'))

/** A temporary folder for one test, and its removal. */
export const temporary = () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-start-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
