/** Intervals between marks in seconds, all familiar units of time. */
const intervals = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]

/**
 * Width in pixels of a mark's label, which is at the right of the mark. A mark without space for its label is omitted.
 */
const labelWidth = 40

/** Returns the times of the ruler's marks in a time range, at least `minDistance` pixels apart. */
export const getRulerMarks = (from: number, to: number, width: number, minDistance = 72): number[] => {
  if (!(to > from) || width <= 0) return []
  const minIntervalSeconds = ((to - from) * minDistance) / width
  const intervalSeconds =
    intervals.find((seconds) => seconds >= minIntervalSeconds) ?? Math.ceil(minIntervalSeconds / 3600) * 3600
  const first = Math.max(0, Math.floor(from / intervalSeconds))
  const last = Math.floor((to - ((to - from) * labelWidth) / width) / intervalSeconds)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * intervalSeconds)
}
