import { parseArgs } from 'node:util'

/** The parts of `npm run prove`, in the order in which they run. */
export const proofNames = /** @type {const} */ ([
  ...['matrix', 'fuzz', 'crash', 'history', 'replicas', 'restart', 'sentinels', 'build', 'galera', 'disk'],
])

/** @typedef {typeof proofNames[number]} ProofName */

export const usage = `Usage: npm run prove -- [NAME...] [--short] [--seed N] [--count N]
Attacks a built server. NAME is ${proofNames.join(', ')}; all if absent.
--short    a quick form
--seed N   repeats a run; matrix and build have no seed
--count N  the number of rounds, of operations (history) or of requests per route (fuzz)
CONTRIBUTING.md describes the parts.`

/** An option is wrong. The message is one sentence. */
export class OptionError extends Error {}

/** @param {string[]} args */
const parse = (args) => {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        short: { type: 'boolean', default: false },
        seed: { type: 'string' },
        count: { type: 'string' },
      },
    })
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
      throw new OptionError('--seed and --count need a whole number, the other options no value.')
    throw new OptionError(`${message.split('. ')[0]}.`)
  }
}

/** @param {string} option @param {string | undefined} text @param {number} minimum */
const parseNumber = (option, text, minimum) => {
  if (text === undefined) return undefined
  if (!/^\d+$/.test(text) || Number(text) < minimum)
    throw new OptionError(`--${option} must be a whole number from ${minimum} on.`)
  return Number(text)
}

/** @param {string} name @returns {name is ProofName} */
const isProofName = (name) => proofNames.some((known) => known === name)

/**
 * Reads the options of `npm run prove`. Throws OptionError.
 * @param {string[]} args
 */
export const parseProveOptions = (args) => {
  const { values, positionals } = parse(args)
  const unknownName = positionals.find((name) => !isProofName(name))
  if (unknownName !== undefined) throw new OptionError(`There is no part '${unknownName}'.`)
  return {
    needsHelp: values.help,
    isShort: values.short,
    seed: parseNumber('seed', values.seed, 0) ?? Date.now() % 2 ** 31,
    /** The number of rounds or operations, instead of that of the long or short form. */
    count: parseNumber('count', values.count, 1),
    names: positionals.length > 0 ? positionals.filter(isProofName) : proofNames,
  }
}
