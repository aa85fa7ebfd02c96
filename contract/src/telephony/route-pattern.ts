import { messages } from '../messages/lcr'

/**
 * Route patterns. A pattern of digits only is a prefix of the number. Any other pattern is a JavaScript regular
 * expression that may match anywhere in the number. Numbers are compared without their leading plus.
 */

/** The longest number that is compared, in characters. It limits how often a quantifier can repeat. */
export const maxNumberLength = 32

/** The maximum number of match paths of a pattern: enough for two unbounded quantifiers and a few alternatives. */
const maxMatchPaths = 2000

/** The maximum number of prefixes to list for a pattern. A longer list would not be useful. */
const maxPrefixes = 200

const isPrefix = (pattern: string) => /^\d+$/.test(pattern)

type Node =
  /** One character: one of `options`; undefined if they cannot be listed. */
  | { kind: 'one'; options?: string[] }
  | { kind: 'start' | 'border' }
  /** A lookahead or lookbehind: it consumes no characters. */
  | { kind: 'look'; body: Node }
  | { kind: 'all' | 'either'; parts: Node[] }
  | { kind: 'repeat'; body: Node; min: number; max: number }

const digits = [...'0123456789']

/** The characters of a class such as [2-9] or [49]; undefined if there are too many to list. */
const listClassCharacters = (characters: string): string[] | undefined => {
  const found: string[] = []
  for (const [part] of characters.matchAll(/\d-\d|[\d*#]|./gs)) {
    if (/^[\d*#]$/.test(part)) found.push(part)
    else if (/^\d-\d$/.test(part)) found.push(...digits.filter((each) => each >= part[0]! && each <= part[2]!))
    else return undefined
  }
  return found
}

const parseAtom = (token: string): Node => {
  if (token === '^') return { kind: 'start' }
  if (token === '$' || token === '\\b' || token === '\\B') return { kind: 'border' }
  if (token.startsWith('[')) return { kind: 'one', options: listClassCharacters(token.slice(1, -1)) }
  if (token === '\\d') return { kind: 'one', options: digits }
  if (token.startsWith('\\')) return { kind: 'one', options: /^\\\W$/.test(token) ? [token[1]!] : undefined }
  return { kind: 'one', options: token === '.' ? undefined : [token] }
}

const parseQuantifier = (quantifier: string): { min: number; max: number } => {
  const [, min, comma, max] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? []
  if (min !== undefined) return { min: Number(min), max: comma ? Number(max || Infinity) : Number(min) }
  return { min: quantifier.startsWith('+') ? 1 : 0, max: quantifier.startsWith('?') ? 1 : Infinity }
}

const tokenPattern =
  /\(\?(?:[:=!]|<[=!]|<[^>]*>)|\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|(?:[*+?]|\{\d+(?:,\d*)?\})\??|./gis

/** Parses a regular expression, only as far as needed to count match paths and list prefixes. */
const parse = (pattern: string): Node => {
  const tokens = pattern.match(tokenPattern) ?? []
  let at = 0
  const parseGroup = (): Node => {
    const opening = tokens[at++]!
    const body = parseAlternation()
    at++
    return /^\(\?(<?[=!])/.test(opening) ? { kind: 'look', body } : body
  }
  const parseSequence = (): Node => {
    const parts: Node[] = []
    while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') {
      let node = tokens[at]!.startsWith('(') ? parseGroup() : parseAtom(tokens[at++]!)
      if (/^([*+?]|\{\d)/.test(tokens[at] ?? ''))
        node = { kind: 'repeat', body: node, ...parseQuantifier(tokens[at++]!) }
      parts.push(node)
    }
    return { kind: 'all', parts }
  }
  const parseAlternation = (): Node => {
    const parts = [parseSequence()]
    while (tokens[at] === '|') {
      at++
      parts.push(parseSequence())
    }
    return { kind: 'either', parts }
  }
  return parseAlternation()
}

/** An upper bound for the paths that backtracking may try at one position of a number. */
const countMatchPaths = (node: Node): number => {
  switch (node.kind) {
    case 'all':
      return node.parts.reduce((paths, part) => paths * countMatchPaths(part), 1)
    case 'either':
      return node.parts.reduce((paths, part) => paths + countMatchPaths(part), 0)
    case 'look':
      return countMatchPaths(node.body)
    case 'repeat': {
      const body = countMatchPaths(node.body)
      const max = Math.min(node.max, maxNumberLength)
      let paths = 0
      for (let times = Math.min(node.min, max); times <= max; times++) paths += body ** times
      return paths
    }
    default:
      return 1
  }
}

/** All strings that a node can match; undefined if they cannot be listed. */
const listMatches = (node: Node): string[] | undefined => {
  switch (node.kind) {
    case 'one':
      return node.options
    case 'either': {
      const each = node.parts.map(listMatches)
      return each.every((words) => words !== undefined) ? each.flat() : undefined
    }
    case 'all':
      return node.parts.reduce<string[] | undefined>((prefixes, part) => concatenate(prefixes, listMatches(part)), [''])
    case 'repeat': {
      if (node.max > maxNumberLength) return undefined
      const body = listMatches(node.body)
      let words: string[] | undefined = ['']
      const found: string[] = node.min === 0 ? [''] : []
      for (let times = 1; times <= node.max; times++) {
        words = concatenate(words, body)
        if (!words) return undefined
        if (times >= node.min) found.push(...words)
      }
      return found
    }
    default:
      return undefined
  }
}

const concatenate = (prefixes: string[] | undefined, suffixes: string[] | undefined): string[] | undefined =>
  prefixes && suffixes && prefixes.length * suffixes.length <= maxPrefixes
    ? prefixes.flatMap((prefix) => suffixes.map((suffix) => prefix + suffix))
    : undefined

const isStart = (node: Node | undefined): boolean => node?.kind === 'start'

/** `.*` at the end of a pattern: any suffix. */
const isAnySuffix = (node: Node | undefined): boolean =>
  node?.kind === 'repeat' && node.min === 0 && node.max === Infinity && node.body.kind === 'one' && !node.body.options

const listBranchPrefixes = (branch: Node): string[] | undefined => {
  if (branch.kind !== 'all') return undefined
  const parts = isAnySuffix(branch.parts.at(-1)) ? branch.parts.slice(0, -1) : branch.parts
  if (branch.parts.length > 0 && parts.length === 0) return ['']
  return isStart(parts[0]) ? listMatches({ kind: 'all', parts: parts.slice(1) }) : undefined
}

const isRegex = (pattern: string) => {
  try {
    return new RegExp(pattern) instanceof RegExp
  } catch {
    return false
  }
}

const computeError = (pattern: string): string | undefined => {
  if (isPrefix(pattern)) return undefined
  if (pattern.startsWith('+')) return messages.plusNotAllowed
  if (!isRegex(pattern)) return messages.invalidPattern
  return countMatchPaths(parse(pattern)) > maxMatchPaths ? messages.slowPattern : undefined
}

const computePrefixes = (pattern: string): string[] | undefined => {
  if (isPrefix(pattern)) return [pattern]
  if (pattern === '' || findPatternError(pattern)) return undefined
  const root = parse(pattern)
  const each = root.kind === 'either' ? root.parts.map(listBranchPrefixes) : []
  return each.every((words) => words !== undefined) ? each.flat() : undefined
}

/** Caches results by pattern, because the console checks long tables again on every keystroke. */
const memoize = <Result>(compute: (pattern: string) => Result) => {
  const cache = new Map<string, Result>()
  return (pattern: string): Result => {
    const found = cache.get(pattern)
    if (found !== undefined || cache.has(pattern)) return found as Result
    if (cache.size >= 5000) cache.clear()
    const result = compute(pattern)
    cache.set(pattern, result)
    return result
  }
}

/**
 * Why a pattern cannot be used; undefined if it is valid. Patterns with too many match paths are refused: backtracking
 * on one number could keep the voice servers busy for minutes.
 */
export const findPatternError: (pattern: string) => string | undefined = memoize(computeError)

/**
 * The prefixes of the numbers that a pattern matches: exactly these numbers and no others. Undefined if they cannot be
 * listed.
 */
const listPrefixes = memoize(computePrefixes)

/** A number in the form that patterns match: without spaces, separators and leading plus. */
export const normalizeNumber = (number: string): string => number.replace(/[\s().-]/g, '').replace(/^\+/, '')

/** Whether a route with this pattern matches this number. Invalid patterns match nothing. */
export const matchesNumber = (pattern: string, number: string): boolean => {
  const normalized = normalizeNumber(number)
  if (pattern === '' || normalized === '' || normalized.length > maxNumberLength || findPatternError(pattern))
    return false
  return isPrefix(pattern) ? normalized.startsWith(pattern) : new RegExp(pattern).test(normalized)
}

/** The required prefix of a number, if the prefix is the pattern's only condition. */
export const findRequiredPrefix = (pattern: string): string | undefined => {
  const prefixes = listPrefixes(pattern)
  return prefixes?.length === 1 ? prefixes[0] : undefined
}

/**
 * The routes that no call can reach, by index, each with the numbers (from 1) of the earlier routes that match all its
 * calls. Only patterns with listable prefixes are compared.
 */
export const findUnreachableRoutes = (patterns: readonly string[]): Map<number, number[]> => {
  const firstRouteByPrefix = new Map<string, number>()
  const unreachable = new Map<number, number[]>()
  for (const [at, pattern] of patterns.entries()) {
    const prefixes = listPrefixes(pattern)
    if (!prefixes || prefixes.length === 0) continue
    const by = prefixes.map((prefix) => findFirstRoute(prefix, firstRouteByPrefix))
    if (by.every((each) => each !== undefined))
      unreachable.set(
        at,
        [...new Set(by)].toSorted((one, two) => one - two),
      )
    for (const prefix of prefixes) if (!firstRouteByPrefix.has(prefix)) firstRouteByPrefix.set(prefix, at + 1)
  }
  return unreachable
}

const findFirstRoute = (prefix: string, firstRouteByPrefix: ReadonlyMap<string, number>): number | undefined => {
  let first: number | undefined
  for (let length = 0; length <= prefix.length; length++) {
    const by = firstRouteByPrefix.get(prefix.slice(0, length))
    if (by !== undefined && (first === undefined || by < first)) first = by
  }
  return first
}

/** Whether the pattern requires a plus, which normalized numbers never have. */
export const requiresPlus = (pattern: string): boolean => /^\^?(\\\+|\[\+\])(?!\?|\*)/.test(pattern)
