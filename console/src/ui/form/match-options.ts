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
  selectedValue: string | null,
): { shownOptions: O[]; hiddenCount: number } => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const matchingOptions = options.filter(({ label, value }) => {
    const text = `${label} ${value}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  const firstOptions = matchingOptions.slice(0, maxShown)
  const hiddenSelectedOptions = matchingOptions.slice(maxShown).filter(({ value }) => value === selectedValue)
  const shownOptions = [...hiddenSelectedOptions, ...firstOptions]
  return { shownOptions, hiddenCount: matchingOptions.length - shownOptions.length }
}
