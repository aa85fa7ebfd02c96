/** A value, and how often it occurs. */
export interface ValueCount {
  value: number
  count: number
}

/** The smallest value that at least this percentage of values does not exceed; null without values. Expects ascending values. */
export const computePercentile = (values: readonly ValueCount[], percentile: number): number | null => {
  const total = values.reduce((sum, { count }) => sum + count, 0)
  let remaining = Math.ceil((total * percentile) / 100)
  for (const { value, count } of values) {
    remaining -= count
    if (remaining <= 0) return value
  }
  return null
}

/** Counts equal values, in ascending order. */
export const countValues = (values: readonly number[]): ValueCount[] => {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, count]) => ({ value, count })).toSorted((a, b) => a.value - b.value)
}
