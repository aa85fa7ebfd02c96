/** One that can be chosen; nobody chooses a disabled one. */
export interface Option {
  value: string
  label: string
  disabled?: boolean
}

/** The option that stands for null: a list cannot hold null itself. */
export const noneValue = ''

/** More than these nobody reads, and a browser takes its time to draw them: whoever has more, types. */
const most = 100

/** Stands for the options that are not shown. */
const rest = '\u0000rest'

const matches = (words: readonly string[], { value, label }: Option) => {
  const text = `${label} ${value}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

/** The options in which every word of a search is found, by name or as they are stored; the chosen one is among those shown. */
export const foundOptions = (options: readonly Option[], search: string, chosen: string | null): Option[] => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = options.filter((option) => matches(words, option))
  if (found.length <= most) return found
  const shown = found.slice(0, most)
  const own = found.slice(most).find(({ value }) => value === chosen)
  return [
    ...(own ? [own] : []),
    ...shown,
    { value: rest, label: `${found.length - most - (own ? 1 : 0)} more: type to find them`, disabled: true },
  ]
}
