import { spawn } from 'node:child_process'
import { root } from './paths.mjs'

/**
 * @typedef {object} RunOptions
 * @property {Record<string, string | undefined>} [env] added to the environment of this process
 * @property {boolean} [quiet] collect the output instead of showing it
 * @property {string} [cwd]
 */

/** Processes under way, so that an interrupted command leaves none behind. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/** Passes a signal on to every process that `run` has under way. @param {NodeJS.Signals} signal */
export const signalRunning = (signal) => {
  for (const child of running) child.kill(signal)
}

/**
 * Runs a program to its end. Never throws for a failing program: the exit code says so.
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

/** Runs a JavaScript program with the Node that runs us. @param {string[]} args @param {RunOptions} [options] */
export const runNode = (args, options) => run(process.execPath, args, options)

/**
 * Runs npm: the one that started us when there is one, so that no second version gets involved.
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export const runNpm = (args, options) => {
  const npm = process.env.npm_execpath
  return npm && /\.c?js$/.test(npm) ? runNode([npm, ...args], options) : run('npm', args, options)
}

/** Stops this process with one sentence. @param {string} sentence @returns {never} */
export const giveUp = (sentence) => {
  console.error(sentence)
  process.exit(1)
}

/**
 * Does what comes before the work itself; when it fails, its sentence is all there is to say.
 * @param {() => Promise<void>} prepare
 */
export const orGiveUp = async (prepare) => {
  try {
    await prepare()
  } catch (error) {
    giveUp(error instanceof Error ? error.message : String(error))
  }
}
