/** A seeded random generator, so that each demonstration shows the same data. */
export interface SeededRandom {
  /** From 0 up to, but not including, 1. */
  next: () => number
  /** A whole number from the first to the last, both included. */
  integer: (first: number, last: number) => number
  pick: <T>(from: readonly T[]) => T
  /** True with this probability, from 0 to 1. */
  chance: (probability: number) => boolean
  /** This many hexadecimal digits. */
  hex: (digits: number) => string
  /** A version 4 UUID. */
  sid: () => string
}

/** Mulberry32: small, fast, and random enough for sample data. */
export const createSeededRandom = (seed: number): SeededRandom => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (first: number, last: number) => first + Math.floor(next() * (last - first + 1))
  const hex = (digits: number) => Array.from({ length: digits }, () => integer(0, 15).toString(16)).join('')
  return {
    next,
    integer,
    hex,
    pick: (from) => from[integer(0, from.length - 1)]!,
    chance: (probability) => next() < probability,
    sid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${(8 + integer(0, 3)).toString(16)}${hex(3)}-${hex(12)}`,
  }
}
