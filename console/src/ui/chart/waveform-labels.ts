/** Returns how many seconds each mark has for its label: to the start of the next mark, or to the end. */
export const getLabelSeconds = (marks: readonly { start: number }[], duration: number): number[] => {
  const starts = marks.map(({ start }) => start)
  return starts.map((start) => Math.min(duration, ...starts.filter((other) => other > start)) - start)
}
