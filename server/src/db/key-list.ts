/** The keys of all rows of a list, in its order. */
export interface KeyList {
  length: number
  slice: (start: number, end: number) => string[]
}

const sidLength = 36

/** Packs keys into one string if all are SIDs: a list can have a hundred thousand. */
export const packKeys = (keys: readonly string[]): KeyList => {
  if (!keys.every((key) => key.length === sidLength))
    return { length: keys.length, slice: (start, end) => keys.slice(start, end) }
  const text = keys.join('')
  const { length } = keys
  return {
    length,
    slice: (start, end) =>
      Array.from({ length: Math.max(0, Math.min(end, length) - start) }, (_, index) =>
        text.slice((start + index) * sidLength, (start + index + 1) * sidLength),
      ),
  }
}
