/** Steps that people count time in, in seconds. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]

/** A mark has its words at its right, and they are so wide, in pixels: a mark without room for them is left out. */
const wordsWidth = 40

/** The marks of a ruler between two moments, at least `apart` pixels from each other. */
export const rulerMarks = (from: number, to: number, width: number, apart = 72): number[] => {
  if (!(to > from) || width <= 0) return []
  const least = ((to - from) * apart) / width
  const step = steps.find((each) => each >= least) ?? Math.ceil(least / 3600) * 3600
  const first = Math.max(0, Math.floor(from / step))
  const last = Math.floor((to - ((to - from) * wordsWidth) / width) / step)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * step)
}
