import fc from 'fast-check'

/** A seeded random generator, so that failures can be reproduced. */
export interface Random {
  pick: <T>(from: readonly T[]) => T
  integer: (maximum: number) => number
  chance: (probability: number) => boolean
  /** A hostile JSON value. */
  hostileValue: () => unknown
  /** A hostile text. */
  hostileText: () => string
  bytes: (maximum: number) => Uint8Array
}

/** Texts that often break parsers, encoders, databases and pages. */
const hostileTexts = [
  '',
  ' ',
  'null',
  'undefined',
  '0',
  '-1',
  '1e309',
  'NaN',
  '../../etc/passwd',
  '%00',
  '\u0000',
  '\ud800',
  '\u202e\u2066x',
  "' OR '1'='1",
  "'; drop table accounts; --",
  '<script>alert(1)</script>',
  '${7*7}{{7*7}}',
  '__proto__',
  'constructor',
  'a'.repeat(300),
  'é'.repeat(5000),
  '😀',
  'https://127.0.0.1:1/',
  '2026-02-30',
  '9999-12-31T23:59:59.999Z',
  '00000000-0000-0000-0000-000000000000',
  '{"a":1}',
  '[]',
]

const hostileValues: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  [],
  {},
  [[]],
  [null],
  { toString: 1 },
]

/** Creates a generator from a seed. */
export const createRandom = (seed: number): Random => {
  const stream = fc.sample(fc.infiniteStream(fc.noBias(fc.maxSafeNat())), { seed, numRuns: 1 })[0]
  if (!stream) throw new Error('fast-check returned no stream')
  const next = () => stream.next().value
  const integer = (maximum: number) => next() % (maximum + 1)
  const pick = <T>(from: readonly T[]) => from[integer(from.length - 1)] as T
  const sample = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.sample(arbitrary, { seed: integer(2 ** 31 - 1), numRuns: 1 })[0] as T
  const hostileText = () => (integer(2) ? pick(hostileTexts) : sample(fc.string({ unit: 'binary', maxLength: 60 })))
  return {
    integer,
    pick,
    hostileText,
    chance: (probability) => integer(999) < probability * 1000,
    hostileValue: () =>
      pick([() => pick(hostileValues), hostileText, hostileText, () => sample(fc.jsonValue({ maxDepth: 3 }))])(),
    bytes: (maximum) => sample(fc.uint8Array({ maxLength: maximum, size: 'max' })),
  }
}
