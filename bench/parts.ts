const defaultParts = ['process', 'requests', 'bytes', 'interactions', 'lists', 'bulk', 'calls'] as const

/** All parts of the benchmark. `background` and `call-stores` have no targets, so they run only if they are selected. */
const parts = [...defaultParts, 'background', 'call-stores'] as const

export type Part = (typeof parts)[number]

/**
 * Parses the value of BENCH_ONLY: parts, separated by commas. Without a value, returns the default parts. Throws if a
 * part does not exist.
 */
export const parseParts = (value: string | undefined): readonly Part[] => {
  if (!value) return defaultParts
  return value.split(',').map((name) => {
    const part = parts.find((candidate) => candidate === name.trim())
    if (!part) throw new Error(`BENCH_ONLY contains the unknown part '${name}'. Parts: ${parts.join(', ')}.`)
    return part
  })
}
