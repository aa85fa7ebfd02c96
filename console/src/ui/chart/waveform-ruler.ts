/** Intervals between marks in seconds, all familiar units of time. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]

/**
 * Width in pixels of a mark's label, which is at the right of the mark. A mark without space for its label is omitted.
 */
const wordsWidth = 40

/** Returns the times of the ruler's marks in a time range, at least `apart` pixels apart. */
export const getRulerMarks = (from: number, to: number, width: number, apart = 72): number[] => {
  if (!(to > from) || width <= 0) return []
  const least = ((to - from) * apart) / width
  const step = steps.find((each) => each >= least) ?? Math.ceil(least / 3600) * 3600
  const first = Math.max(0, Math.floor(from / step))
  const last = Math.floor((to - ((to - from) * wordsWidth) / width) / step)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * step)
}
