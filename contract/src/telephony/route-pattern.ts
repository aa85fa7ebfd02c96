import { messages } from '../messages/lcr-route'

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
  | { kind: 'character'; options?: string[] }
  | { kind: 'start' | 'boundary' }
  /** A lookahead or lookbehind: it consumes no characters. */
  | { kind: 'lookaround'; body: Node }
  | { kind: 'sequence' | 'alternation'; parts: Node[] }
  | { kind: 'repetition'; body: Node; min: number; max: number }

const digits = [...'0123456789']

/** The characters of a class such as [2-9] or [49]; undefined if there are too many to list. */
const listClassCharacters = (characters: string): string[] | undefined => {
  const result: string[] = []
  for (const [range] of characters.matchAll(/\d-\d|[\d*#]|./gs)) {
    if (/^[\d*#]$/.test(range)) result.push(range)
    else if (/^\d-\d$/.test(range)) result.push(...digits.filter((digit) => digit >= range[0]! && digit <= range[2]!))
    else return undefined
  }
  return result
}

const parseAtom = (token: string): Node => {
  if (token === '^') return { kind: 'start' }
  if (token === '$' || token === '\\b' || token === '\\B') return { kind: 'boundary' }
  if (token.startsWith('[')) return { kind: 'character', options: listClassCharacters(token.slice(1, -1)) }
  if (token === '\\d') return { kind: 'character', options: digits }
  if (token.startsWith('\\')) return { kind: 'character', options: /^\\\W$/.test(token) ? [token[1]!] : undefined }
  return { kind: 'character', options: token === '.' ? undefined : [token] }
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
  let index = 0
  const parseGroup = (): Node => {
    const openingToken = tokens[index++]!
    const body = parseAlternation()
    index++
    return /^\(\?(<?[=!])/.test(openingToken) ? { kind: 'lookaround', body } : body
  }
  const parseSequence = (): Node => {
    const parts: Node[] = []
    while (index < tokens.length && tokens[index] !== '|' && tokens[index] !== ')') {
      let node = tokens[index]!.startsWith('(') ? parseGroup() : parseAtom(tokens[index++]!)
      if (/^([*+?]|\{\d)/.test(tokens[index] ?? ''))
        node = { kind: 'repetition', body: node, ...parseQuantifier(tokens[index++]!) }
      parts.push(node)
    }
    return { kind: 'sequence', parts }
  }
  const parseAlternation = (): Node => {
    const parts = [parseSequence()]
    while (tokens[index] === '|') {
      index++
      parts.push(parseSequence())
    }
    return { kind: 'alternation', parts }
  }
  return parseAlternation()
}

/** An upper bound for the paths that backtracking may try at one position of a number. */
const countMatchPaths = (node: Node): number => {
  switch (node.kind) {
    case 'sequence':
      return node.parts.reduce((paths, part) => paths * countMatchPaths(part), 1)
    case 'alternation':
      return node.parts.reduce((paths, part) => paths + countMatchPaths(part), 0)
    case 'lookaround':
      return countMatchPaths(node.body)
    case 'repetition': {
      const bodyPaths = countMatchPaths(node.body)
      const max = Math.min(node.max, maxNumberLength)
      let paths = 0
      for (let count = Math.min(node.min, max); count <= max; count++) paths += bodyPaths ** count
      return paths
    }
    default:
      return 1
  }
}

/** All strings that a node can match; undefined if they cannot be listed. */
const listMatches = (node: Node): string[] | undefined => {
  switch (node.kind) {
    case 'character':
      return node.options
    case 'alternation': {
      const branches = node.parts.map(listMatches)
      return branches.every((strings) => strings !== undefined) ? branches.flat() : undefined
    }
    case 'sequence':
      return node.parts.reduce<string[] | undefined>((prefixes, part) => concatenate(prefixes, listMatches(part)), [''])
    case 'repetition': {
      if (node.max > maxNumberLength) return undefined
      const bodyMatches = listMatches(node.body)
      let strings: string[] | undefined = ['']
      const matches: string[] = node.min === 0 ? [''] : []
      for (let count = 1; count <= node.max; count++) {
        strings = concatenate(strings, bodyMatches)
        if (!strings) return undefined
        if (count >= node.min) matches.push(...strings)
      }
      return matches
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
  node?.kind === 'repetition' &&
  node.min === 0 &&
  node.max === Infinity &&
  node.body.kind === 'character' &&
  !node.body.options

const listBranchPrefixes = (branch: Node): string[] | undefined => {
  if (branch.kind !== 'sequence') return undefined
  const parts = isAnySuffix(branch.parts.at(-1)) ? branch.parts.slice(0, -1) : branch.parts
  if (branch.parts.length > 0 && parts.length === 0) return ['']
  return isStart(parts[0]) ? listMatches({ kind: 'sequence', parts: parts.slice(1) }) : undefined
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
  const branches = root.kind === 'alternation' ? root.parts.map(listBranchPrefixes) : []
  return branches.every((strings) => strings !== undefined) ? branches.flat() : undefined
}

/** Caches results by pattern, because the console checks long tables again on every keystroke. */
const memoize = <Result>(compute: (pattern: string) => Result) => {
  const cache = new Map<string, Result>()
  return (pattern: string): Result => {
    const cachedResult = cache.get(pattern)
    if (cachedResult !== undefined || cache.has(pattern)) return cachedResult as Result
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
  const normalizedNumber = normalizeNumber(number)
  if (
    pattern === '' ||
    normalizedNumber === '' ||
    normalizedNumber.length > maxNumberLength ||
    findPatternError(pattern)
  )
    return false
  return isPrefix(pattern) ? normalizedNumber.startsWith(pattern) : new RegExp(pattern).test(normalizedNumber)
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
  const routeNumberByPrefix = new Map<string, number>()
  const result = new Map<number, number[]>()
  for (const [index, pattern] of patterns.entries()) {
    const prefixes = listPrefixes(pattern)
    if (!prefixes || prefixes.length === 0) continue
    const earlierRoutes = prefixes.map((prefix) => findFirstRoute(prefix, routeNumberByPrefix))
    if (earlierRoutes.every((route) => route !== undefined))
      result.set(
        index,
        [...new Set(earlierRoutes)].toSorted((a, b) => a - b),
      )
    for (const prefix of prefixes) if (!routeNumberByPrefix.has(prefix)) routeNumberByPrefix.set(prefix, index + 1)
  }
  return result
}

const findFirstRoute = (prefix: string, routeNumberByPrefix: ReadonlyMap<string, number>): number | undefined => {
  let firstRouteNumber: number | undefined
  for (let length = 0; length <= prefix.length; length++) {
    const routeNumber = routeNumberByPrefix.get(prefix.slice(0, length))
    if (routeNumber !== undefined && (firstRouteNumber === undefined || routeNumber < firstRouteNumber))
      firstRouteNumber = routeNumber
  }
  return firstRouteNumber
}

/** Whether the pattern requires a plus, which normalized numbers never have. */
export const requiresPlus = (pattern: string): boolean => /^\^?(\\\+|\[\+\])(?!\?|\*)/.test(pattern)
