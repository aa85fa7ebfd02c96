import { spawn } from 'node:child_process'
import { root } from './paths.mjs'

/**
 * @typedef {object} RunOptions
 * @property {Record<string, string | undefined>} [env] additional environment variables
 * @property {boolean} [captureOutput] return the output instead of printing it
 * @property {string} [cwd]
 */

/**
 * The running child processes, which an interrupted command must end.
 * @type {Set<import('node:child_process').ChildProcess>}
 */
const childProcesses = new Set()

/** Forwards a signal to every process that `run` has started. @param {NodeJS.Signals} signal */
export const forwardSignal = (signal) => {
  for (const child of childProcesses) child.kill(signal)
}

/**
 * Runs a program and waits for its exit. Does not throw if the program fails; check the exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export const run = (command, args, { env = {}, captureOutput = false, cwd = root } = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', captureOutput ? 'pipe' : 'inherit', captureOutput ? 'pipe' : 'inherit'],
    })
    childProcesses.add(child)
    let output = ''
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => {
      childProcesses.delete(child)
      resolve({ code: 127, output: `${output}${command}: ${error.message}` })
    })
    child.on('close', (code, signal) => {
      childProcesses.delete(child)
      resolve({ code: code ?? (signal ? 1 : 0), output })
    })
  })

/** Runs a JavaScript program with the current Node. @param {string[]} args @param {RunOptions} [options] */
export const runNode = (args, options) => run(process.execPath, args, options)

/**
 * Runs npm. If npm started this process, runs the same npm version.
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export const runNpm = (args, options) => {
  const npm = process.env.npm_execpath
  return npm && /\.c?js$/.test(npm) ? runNode([npm, ...args], options) : run('npm', args, options)
}

/** Prints a message and exits with code 1. @param {string} message @returns {never} */
export const exitWithError = (message) => {
  console.error(message)
  process.exit(1)
}

/**
 * Runs a preparation step; if it fails, prints only its error message and exits.
 * @param {() => Promise<void>} prepare
 */
export const runOrExit = async (prepare) => {
  try {
    await prepare()
  } catch (error) {
    exitWithError(error instanceof Error ? error.message : String(error))
  }
}
