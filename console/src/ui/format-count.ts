/** Formats a number with separators between thousands. */
export const formatCount = (count: number): string => count.toLocaleString('en-US')

/** Formats a number with its noun, as in "1 call" and "1,200 calls". */
export const formatCounted = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatCount(count)} ${count === 1 ? singular : plural}`
