import { spawn } from 'node:child_process'
import { root } from './paths.mjs'

/**
 * @typedef {object} RunOptions
 * @property {Record<string, string | undefined>} [env] additional environment variables
 * @property {boolean} [quiet] collect the output instead of printing it
 * @property {string} [cwd]
 */

/**
 * The running child processes, so that an interrupted command leaves none behind.
 * @type {Set<import('node:child_process').ChildProcess>}
 */
const running = new Set()

/** Forwards a signal to every process that `run` has started. @param {NodeJS.Signals} signal */
export const signalRunning = (signal) => {
  for (const child of running) child.kill(signal)
}

/**
 * Runs a program and waits for its exit. Does not throw if the program fails; check the exit code.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export const run = (command, args, { env = {}, quiet = false, cwd = root } = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    })
    running.add(child)
    let output = ''
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => {
      running.delete(child)
      resolve({ code: 127, output: `${output}${command}: ${error.message}` })
    })
    child.on('close', (code, signal) => {
      running.delete(child)
      resolve({ code: code ?? (signal ? 1 : 0), output })
    })
  })

/** Runs a JavaScript program with the current Node. @param {string[]} args @param {RunOptions} [options] */
export const runNode = (args, options) => run(process.execPath, args, options)

/**
 * Runs npm: the one that started this process if there is one, so that no second version is involved.
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export const runNpm = (args, options) => {
  const npm = process.env.npm_execpath
  return npm && /\.c?js$/.test(npm) ? runNode([npm, ...args], options) : run('npm', args, options)
}

/** Prints a message and exits with code 1. @param {string} sentence @returns {never} */
export const giveUp = (sentence) => {
  console.error(sentence)
  process.exit(1)
}

/**
 * Runs a preparation step; if it fails, prints only its error message and exits.
 * @param {() => Promise<void>} prepare
 */
export const orGiveUp = async (prepare) => {
  try {
    await prepare()
  } catch (error) {
    giveUp(error instanceof Error ? error.message : String(error))
  }
}
