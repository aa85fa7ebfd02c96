import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { build, type BuildOptions } from 'esbuild'
import { serverBundleOptions } from '../../scripts/tools/server-bundle-options.mjs'

const root = join(import.meta.dirname, '..', '..')
// Inside server/, so that the bundle finds the server's packages, and the project's root two levels up.
const bundle = join(root, 'server', '.cache', 'start-test.js')

const bundleOptions = {
  ...serverBundleOptions,
  entryPoints: [join(root, 'server', 'src', 'main.ts')],
} satisfies BuildOptions

/** Bundles the server once, because compiling at the start takes a second per process. */
export const bundleServer = async (): Promise<void> => {
  // Other test files may be starting the previous bundle, which must never be incomplete.
  const incompleteBundle = `${bundle}.${randomUUID()}`
  await build({ ...bundleOptions, outfile: incompleteBundle })
  renameSync(incompleteBundle, bundle)
}

/** Returns what a built server loads at its start, and which packages only when a feature needs them. */
export const analyzeBundle = async () => {
  const { metafile, outputFiles } = await build({
    ...bundleOptions,
    outdir: join(root, 'server', 'dist'),
    splitting: true,
    metafile: true,
    write: false,
  })
  const outputs = Object.entries(metafile.outputs)
  const initialFiles = new Set(
    outputs.filter(([, { entryPoint }]) => entryPoint?.endsWith('main.ts')).map(([file]) => file),
  )
  const bundledFiles: string[] = []
  const initialImports: string[] = []
  const laterImports: string[] = []
  for (const file of initialFiles) {
    const { inputs, imports } = metafile.outputs[file]!
    bundledFiles.push(...Object.keys(inputs))
    for (const { path, kind, external } of imports) {
      if (kind !== 'import-statement') continue
      if (external) initialImports.push(path)
      else initialFiles.add(path)
    }
  }
  for (const [file, { imports }] of outputs)
    if (!initialFiles.has(file))
      laterImports.push(...imports.filter(({ external }) => external).map(({ path }) => path))
  const initialTexts = outputFiles
    .filter(({ path }) => initialFiles.has(relative(process.cwd(), path)))
    .map(({ text }) => text)
  return { bundledFiles, initialImports, laterImports, initialTexts }
}

export interface ServerProcess {
  /** The output so far. */
  stdout(): string
  stderr(): string
  /** Resolves to the server's URL once it listens; rejects if it exits before. */
  ready: Promise<string>
  /** The exit code or signal. */
  exitStatus: Promise<number | string>
  kill(signal: NodeJS.Signals): void
}

const runningProcesses = new Set<ChildProcess>()

/** Starts the server as a process with only these settings in its environment. */
export const startProcess = (environment: Record<string, string>): ServerProcess => {
  const child = spawn(process.execPath, [bundle], {
    env: { PATH: process.env.PATH, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  runningProcesses.add(child)
  const output = { stdout: '', stderr: '' }
  const exitStatus = new Promise<number | string>((resolve) => {
    child.once('close', (code, signal) => {
      runningProcesses.delete(child)
      resolve(code ?? signal ?? 'unknown')
    })
  })
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output.stdout += String(chunk)
      const url = /ready at (\S+)[\s\S]*\n\n/.exec(output.stdout)?.[1]
      if (url) resolve(url)
    })
    void exitStatus.then(() => reject(new Error(`stopped before it was ready: ${output.stderr}`)))
  })
  // A test that awaits only the end must not fail because of an unhandled rejection.
  ready.catch(() => undefined)
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += String(chunk)))
  return {
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ready,
    exitStatus,
    kill: (signal) => void child.kill(signal),
  }
}

/** Stops processes that a failed test has left running. */
export const killAllServers = (): void => runningProcesses.forEach((child) => child.kill('SIGKILL'))

/** Creates a temporary folder for one test; `remove` deletes it. */
export const createTemporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-start-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
