import { messages } from '../messages/lcr'

/**
 * What a route's pattern means: digits alone are the beginning of a number, everything else is a regular expression of
 * JavaScript that may match anywhere in it. Numbers are compared without their leading plus.
 */

/** The longest number that is compared: characters. It bounds how often a repeat can match. */
export const longestNumber = 32

/** In how many ways a pattern may match at most: two free repeats and some alternatives. */
const mostWays = 2000

/** What prefixes are listed for: more of them tell nobody anything. */
const mostPrefixes = 200

const isPrefix = (pattern: string) => /^\d+$/.test(pattern)

type Node =
  /** One character: any of `options`, where they can be listed. */
  | { kind: 'one'; options?: string[] }
  | { kind: 'start' | 'border' }
  /** What stands ahead or behind is looked at and not taken. */
  | { kind: 'look'; body: Node }
  | { kind: 'all' | 'either'; parts: Node[] }
  | { kind: 'repeat'; body: Node; least: number; most: number }

const digits = [...'0123456789']

/** The characters of a class such as [2-9] or [49]; undefined where they are too many to list. */
const optionsOf = (characters: string): string[] | undefined => {
  const found: string[] = []
  for (const [part] of characters.matchAll(/\d-\d|[\d*#]|./gs)) {
    if (/^[\d*#]$/.test(part)) found.push(part)
    else if (/^\d-\d$/.test(part)) found.push(...digits.filter((each) => each >= part[0]! && each <= part[2]!))
    else return undefined
  }
  return found
}

const atom = (token: string): Node => {
  if (token === '^') return { kind: 'start' }
  if (token === '$' || token === '\\b' || token === '\\B') return { kind: 'border' }
  if (token.startsWith('[')) return { kind: 'one', options: optionsOf(token.slice(1, -1)) }
  if (token === '\\d') return { kind: 'one', options: digits }
  if (token.startsWith('\\')) return { kind: 'one', options: /^\\\W$/.test(token) ? [token[1]!] : undefined }
  return { kind: 'one', options: token === '.' ? undefined : [token] }
}

const rangeOf = (quantifier: string): { least: number; most: number } => {
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? []
  if (least !== undefined) return { least: Number(least), most: comma ? Number(most || Infinity) : Number(least) }
  return { least: quantifier.startsWith('+') ? 1 : 0, most: quantifier.startsWith('?') ? 1 : Infinity }
}

const tokens =
  /\(\?(?:[:=!]|<[=!]|<[^>]*>)|\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|k<[^>]*>|.)|\[(?:\\.|[^\]\\])*\]|(?:[*+?]|\{\d+(?:,\d*)?\})\??|./gis

/** Reads a pattern that is a regular expression, as far as the ways to match it and its beginnings ask. */
const parse = (pattern: string): Node => {
  const given = pattern.match(tokens) ?? []
  let at = 0
  const group = (): Node => {
    const opening = given[at++]!
    const body = either()
    at++
    return /^\(\?(<?[=!])/.test(opening) ? { kind: 'look', body } : body
  }
  const all = (): Node => {
    const parts: Node[] = []
    while (at < given.length && given[at] !== '|' && given[at] !== ')') {
      let node = given[at]!.startsWith('(') ? group() : atom(given[at++]!)
      if (/^([*+?]|\{\d)/.test(given[at] ?? '')) node = { kind: 'repeat', body: node, ...rangeOf(given[at++]!) }
      parts.push(node)
    }
    return { kind: 'all', parts }
  }
  const either = (): Node => {
    const parts = [all()]
    while (given[at] === '|') {
      at++
      parts.push(all())
    }
    return { kind: 'either', parts }
  }
  return either()
}

/** At most how many ways there are to match a number from a given place on: what backtracking may have to go through. */
const waysOf = (node: Node): number => {
  switch (node.kind) {
    case 'all':
      return node.parts.reduce((ways, part) => ways * waysOf(part), 1)
    case 'either':
      return node.parts.reduce((ways, part) => ways + waysOf(part), 0)
    case 'look':
      return waysOf(node.body)
    case 'repeat': {
      const body = waysOf(node.body)
      const most = Math.min(node.most, longestNumber)
      let ways = 0
      for (let times = Math.min(node.least, most); times <= most; times++) ways += body ** times
      return ways
    }
    default:
      return 1
  }
}

/** Everything that a part can match, where it can be listed. */
const listed = (node: Node): string[] | undefined => {
  switch (node.kind) {
    case 'one':
      return node.options
    case 'either': {
      const each = node.parts.map(listed)
      return each.every((words) => words !== undefined) ? each.flat() : undefined
    }
    case 'all':
      return node.parts.reduce<string[] | undefined>((heads, part) => joined(heads, listed(part)), [''])
    case 'repeat': {
      if (node.most > longestNumber) return undefined
      const body = listed(node.body)
      let words: string[] | undefined = ['']
      const found: string[] = node.least === 0 ? [''] : []
      for (let times = 1; times <= node.most; times++) {
        words = joined(words, body)
        if (!words) return undefined
        if (times >= node.least) found.push(...words)
      }
      return found
    }
    default:
      return undefined
  }
}

const joined = (heads: string[] | undefined, tails: string[] | undefined): string[] | undefined =>
  heads && tails && heads.length * tails.length <= mostPrefixes
    ? heads.flatMap((head) => tails.map((tail) => head + tail))
    : undefined

const isStart = (node: Node | undefined): boolean => node?.kind === 'start'

/** `.*` in the place where a pattern ends: whatever follows. */
const isRest = (node: Node | undefined): boolean =>
  node?.kind === 'repeat' &&
  node.least === 0 &&
  node.most === Infinity &&
  node.body.kind === 'one' &&
  !node.body.options

const beginnings = (branch: Node): string[] | undefined => {
  if (branch.kind !== 'all') return undefined
  const parts = isRest(branch.parts.at(-1)) ? branch.parts.slice(0, -1) : branch.parts
  if (branch.parts.length > 0 && parts.length === 0) return ['']
  return isStart(parts[0]) ? listed({ kind: 'all', parts: parts.slice(1) }) : undefined
}

const isRegex = (pattern: string) => {
  try {
    return new RegExp(pattern) instanceof RegExp
  } catch {
    return false
  }
}

const faultOf = (pattern: string): string | undefined => {
  if (isPrefix(pattern)) return undefined
  if (pattern.startsWith('+')) return messages.plusInPattern
  if (!isRegex(pattern)) return messages.badPattern
  return waysOf(parse(pattern)) > mostWays ? messages.slowPattern : undefined
}

const prefixesIn = (pattern: string): string[] | undefined => {
  if (isPrefix(pattern)) return [pattern]
  if (pattern === '' || patternFault(pattern)) return undefined
  const whole = parse(pattern)
  const each = whole.kind === 'either' ? whole.parts.map(beginnings) : []
  return each.every((words) => words !== undefined) ? each.flat() : undefined
}

/** Remembers what is known of patterns: long tables are looked at again with every key that is pressed. */
const remembered = <Known>(of: (pattern: string) => Known) => {
  const known = new Map<string, Known>()
  return (pattern: string): Known => {
    const found = known.get(pattern)
    if (found !== undefined || known.has(pattern)) return found as Known
    if (known.size >= 5000) known.clear()
    const fresh = of(pattern)
    known.set(pattern, fresh)
    return fresh
  }
}

/**
 * Why a pattern that is not blank cannot be used, or undefined. What may match in very many ways is refused: one number
 * could keep the servers that route calls busy for minutes.
 */
export const patternFault: (pattern: string) => string | undefined = remembered(faultOf)

/** The beginnings of the numbers that a pattern matches, where they can be listed: it matches all those and no others. */
const prefixesOf = remembered(prefixesIn)

/** A number as patterns see it: without what people write between digits, and without its leading plus. */
export const plainNumber = (typed: string): string => typed.replace(/[\s().-]/g, '').replace(/^\+/, '')

/** Does a route with this pattern take this number? Never for a pattern that cannot be used. */
export const takes = (pattern: string, number: string): boolean => {
  const plain = plainNumber(number)
  if (pattern === '' || plain === '' || plain.length > longestNumber || patternFault(pattern)) return false
  return isPrefix(pattern) ? plain.startsWith(pattern) : new RegExp(pattern).test(plain)
}

/** The digits that a number has to begin with, when that is all that the pattern asks. */
export const prefixOf = (pattern: string): string | undefined => {
  const prefixes = prefixesOf(pattern)
  return prefixes?.length === 1 ? prefixes[0] : undefined
}

/**
 * The routes that no call comes to, by their place, each with the numbers (from 1) of those before it that take all its
 * calls. Only what can be listed as beginnings of numbers is compared.
 */
export const coveredRoutes = (patterns: readonly string[]): Map<number, number[]> => {
  const takenBy = new Map<string, number>()
  const covered = new Map<number, number[]>()
  for (const [at, pattern] of patterns.entries()) {
    const prefixes = prefixesOf(pattern)
    if (!prefixes || prefixes.length === 0) continue
    const by = prefixes.map((prefix) => earliest(prefix, takenBy))
    if (by.every((each) => each !== undefined))
      covered.set(
        at,
        [...new Set(by)].toSorted((one, two) => one - two),
      )
    for (const prefix of prefixes) if (!takenBy.has(prefix)) takenBy.set(prefix, at + 1)
  }
  return covered
}

const earliest = (prefix: string, takenBy: ReadonlyMap<string, number>): number | undefined => {
  let first: number | undefined
  for (let length = 0; length <= prefix.length; length++) {
    const by = takenBy.get(prefix.slice(0, length))
    if (by !== undefined && (first === undefined || by < first)) first = by
  }
  return first
}

/** It asks for a plus, which no number has when it is compared. */
export const asksForPlus = (pattern: string): boolean => /^\^?(\\\+|\[\+\])(?!\?|\*)/.test(pattern)
