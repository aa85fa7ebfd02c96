import type { Stretch } from '../ports/recordings'

/** What a Range header asks for: a stretch, nothing that is heeded (the whole is sent), or what there is not. */
export type RequestedRange = Stretch | undefined | 'outside'

/** The last bytes of so many. */
const suffixRange = (count: number, size: number): RequestedRange =>
  count === 0 || size === 0 ? 'outside' : { from: Math.max(0, size - count), to: size - 1 }

/** Blanks can be read in one way only: tried in all ways, a header full of them would take its time. */
const rangePattern = /^\s*bytes\s*=\s*(?:(\d{1,15})\s*)?-\s*(?:(\d{1,15})\s*)?$/i

/** Reads a Range header over so many bytes. Several stretches at once are not heeded, as the protocol allows. */
export const parseRange = (header: string | undefined, size: number): RequestedRange => {
  const [, first = '', last = ''] = rangePattern.exec(header ?? '') ?? []
  if (first === '') return last === '' ? undefined : suffixRange(Number(last), size)
  const [from, to] = [Number(first), last === '' ? Infinity : Number(last)]
  if (to < from) return undefined
  return from >= size ? 'outside' : { from, to: Math.min(to, size - 1) }
}
