export interface Option {
  value: string
  label: string
}

/** Users do not read longer lists, and rendering them is noticeably slow. */
const maxShown = 100

/**
 * Returns the options whose label or value contains every search word, in their order: at most 100, with the selected
 * one first if it would be cut off. `hiddenCount` is the number of matches not shown.
 */
export const findOptions = <O extends Option>(
  options: readonly O[],
  search: string,
  selected: string | null,
): { shown: O[]; hiddenCount: number } => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = options.filter(({ label, value }) => {
    const text = `${label} ${value}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const first = matching.slice(0, maxShown)
  const hiddenSelected = matching.slice(maxShown).filter(({ value }) => value === selected)
  const shown = [...hiddenSelected, ...first]
  return { shown, hiddenCount: matching.length - shown.length }
}
