import { messages } from '../messages/lcr'

/**
 * What a route's pattern means: digits alone are the beginning of a number, everything else is a regular expression of
 * JavaScript that may match anywhere in it. Numbers are compared without their leading plus.
 */

/** The longest number that is compared: characters. It bounds how often a repeat can match. */
export const maxNumberLength = 32

/** In how many ways a pattern may match at most: two free repeats and some alternatives. */
const maxMatchPaths = 2000

/** What prefixes are listed for: more of them tell nobody anything. */
const maxPrefixes = 200

const isPrefix = (pattern: string) => /^\d+$/.test(pattern)

type Node =
  /** One character: any of `options`, where they can be listed. */
  | { kind: 'one'; options?: string[] }
  | { kind: 'start' | 'border' }
  /** What stands ahead or behind is looked at and not taken. */
  | { kind: 'look'; body: Node }
  | { kind: 'all' | 'either'; parts: Node[] }
  | { kind: 'repeat'; body: Node; min: number; max: number }

const digits = [...'0123456789']

/** The characters of a class such as [2-9] or [49]; undefined where they are too many to list. */
const classCharacters = (characters: string): string[] | undefined => {
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
  if (token.startsWith('[')) return { kind: 'one', options: classCharacters(token.slice(1, -1)) }
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

/** Reads a pattern that is a regular expression, as far as the ways to match it and its beginnings ask. */
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

/** At most how many ways there are to match a number from a given place on: what backtracking may have to go through. */
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

/** Everything that a part can match, where it can be listed. */
const listMatches = (node: Node): string[] | undefined => {
  switch (node.kind) {
    case 'one':
      return node.options
    case 'either': {
      const each = node.parts.map(listMatches)
      return each.every((words) => words !== undefined) ? each.flat() : undefined
    }
    case 'all':
      return node.parts.reduce<string[] | undefined>((prefixes, part) => combine(prefixes, listMatches(part)), [''])
    case 'repeat': {
      if (node.max > maxNumberLength) return undefined
      const body = listMatches(node.body)
      let words: string[] | undefined = ['']
      const found: string[] = node.min === 0 ? [''] : []
      for (let times = 1; times <= node.max; times++) {
        words = combine(words, body)
        if (!words) return undefined
        if (times >= node.min) found.push(...words)
      }
      return found
    }
    default:
      return undefined
  }
}

const combine = (prefixes: string[] | undefined, suffixes: string[] | undefined): string[] | undefined =>
  prefixes && suffixes && prefixes.length * suffixes.length <= maxPrefixes
    ? prefixes.flatMap((prefix) => suffixes.map((suffix) => prefix + suffix))
    : undefined

const isStart = (node: Node | undefined): boolean => node?.kind === 'start'

/** `.*` in the place where a pattern ends: whatever follows. */
const isAnySuffix = (node: Node | undefined): boolean =>
  node?.kind === 'repeat' && node.min === 0 && node.max === Infinity && node.body.kind === 'one' && !node.body.options

const branchPrefixes = (branch: Node): string[] | undefined => {
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

const findError = (pattern: string): string | undefined => {
  if (isPrefix(pattern)) return undefined
  if (pattern.startsWith('+')) return messages.plusInPattern
  if (!isRegex(pattern)) return messages.badPattern
  return countMatchPaths(parse(pattern)) > maxMatchPaths ? messages.slowPattern : undefined
}

const findPrefixes = (pattern: string): string[] | undefined => {
  if (isPrefix(pattern)) return [pattern]
  if (pattern === '' || patternError(pattern)) return undefined
  const root = parse(pattern)
  const each = root.kind === 'either' ? root.parts.map(branchPrefixes) : []
  return each.every((words) => words !== undefined) ? each.flat() : undefined
}

/** Remembers what is known of patterns: long tables are looked at again with every key that is pressed. */
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
 * Why a pattern that is not blank cannot be used, or undefined. What may match in very many ways is refused: one number
 * could keep the servers that route calls busy for minutes.
 */
export const patternError: (pattern: string) => string | undefined = memoize(findError)

/** The beginnings of the numbers that a pattern matches, where they can be listed: it matches all those and no others. */
const prefixesOf = memoize(findPrefixes)

/** A number as patterns see it: without what people write between digits, and without its leading plus. */
export const normalizeNumber = (number: string): string => number.replace(/[\s().-]/g, '').replace(/^\+/, '')

/** Does a route with this pattern take this number? Never for a pattern that cannot be used. */
export const matchesNumber = (pattern: string, number: string): boolean => {
  const normalized = normalizeNumber(number)
  if (pattern === '' || normalized === '' || normalized.length > maxNumberLength || patternError(pattern)) return false
  return isPrefix(pattern) ? normalized.startsWith(pattern) : new RegExp(pattern).test(normalized)
}

/** The digits that a number has to begin with, when that is all that the pattern asks. */
export const requiredPrefix = (pattern: string): string | undefined => {
  const prefixes = prefixesOf(pattern)
  return prefixes?.length === 1 ? prefixes[0] : undefined
}

/**
 * The routes that no call comes to, by their place, each with the numbers (from 1) of those before it that take all its
 * calls. Only what can be listed as beginnings of numbers is compared.
 */
export const unreachableRoutes = (patterns: readonly string[]): Map<number, number[]> => {
  const firstRouteByPrefix = new Map<string, number>()
  const unreachable = new Map<number, number[]>()
  for (const [at, pattern] of patterns.entries()) {
    const prefixes = prefixesOf(pattern)
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

/** It asks for a plus, which no number has when it is compared. */
export const requiresPlus = (pattern: string): boolean => /^\^?(\\\+|\[\+\])(?!\?|\*)/.test(pattern)
