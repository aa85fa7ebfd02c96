import { spawn } from 'node:child_process'

/** Runs `npm run demo` without its install and build steps: returns the process, its exit and its output. */
export const startDemo = (settings: Record<string, string>, script = 'demo/run.ts') => {
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = new Promise<number | null>((done) => child.once('exit', done))
  return { child, exited, output: () => output }
}
