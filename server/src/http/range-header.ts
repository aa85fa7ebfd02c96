import type { ByteRange } from '../ports/object-storage'

/** A range, undefined (send everything), or 'outside' (beyond the end: 416). */
export type RangeResult = ByteRange | undefined | 'outside'

/** The last `count` bytes of `size`. */
const suffixRange = (count: number, size: number): RangeResult =>
  count === 0 || size === 0 ? 'outside' : { from: Math.max(0, size - count), to: size - 1 }

/** Each space matches in exactly one way; otherwise a header full of spaces would cause slow backtracking. */
const rangePattern = /^\s*bytes\s*=\s*(?:(\d{1,15})\s*)?-\s*(?:(\d{1,15})\s*)?$/i

/** Parses a Range header for a file of `size` bytes. Multiple ranges are ignored, as the protocol permits. */
export const parseRange = (header: string | undefined, size: number): RangeResult => {
  const [, firstByte = '', lastByte = ''] = rangePattern.exec(header ?? '') ?? []
  if (firstByte === '') return lastByte === '' ? undefined : suffixRange(Number(lastByte), size)
  const [from, to] = [Number(firstByte), lastByte === '' ? Infinity : Number(lastByte)]
  if (to < from) return undefined
  return from >= size ? 'outside' : { from, to: Math.min(to, size - 1) }
}
