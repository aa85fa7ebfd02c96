/** Formatting and layout of times in a trace. */

/** Maximum length of names. */
const maxNameLength = 36

/** Shortens a span's name to the length of a row. */
export const truncateName = (name: string): string => {
  const characters = [...name]
  return characters.length > maxNameLength ? `${characters.slice(0, maxNameLength).join('')}…` : name
}

/**
 * Splits a span's name into name and arguments, without the prefix 'verb:', shortened together to the length of a row.
 */
export const splitName = (name: string): { name: string; detail: string } => {
  const [, shortName = '', values] = /^(?:verb:)?([^{]+)(?:\{(.*)\})?$/s.exec(name) ?? [undefined, name]
  // add a space to separate 'vendor=google' from 'language=en-US'
  const spacedValues = values?.replace(/,(?=[\w -]+[={])/g, ', ') ?? ''
  const truncatedText = truncateName(spacedValues ? `${shortName} ${spacedValues}` : shortName)
  return spacedValues
    ? { name: truncatedText.slice(0, shortName.length), detail: truncatedText.slice(shortName.length + 1) }
    : { name: truncatedText, detail: '' }
}

/** Formats a number with at most `places` decimals, without trailing zeros. */
const trimNumber = (value: number, places: number) => String(Number(value.toFixed(places)))

/** Formats a duration: milliseconds below one second, then seconds with two decimals, then minutes and seconds. */
export const formatDurationMs = (ms: number): string => {
  const roundedMs = Math.round(ms)
  if (roundedMs < 1000) return `${ms < 10 ? trimNumber(ms, 2) : roundedMs} ms`
  if (Math.round(ms / 10) < 6000) return `${(ms / 1000).toFixed(2)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
}

/** Formats a time on the scale. */
const formatTick = (ms: number, step: number): string => {
  if (ms <= -60_000) return `-${formatTick(-ms, step)}`
  if (ms >= 60_000 && step >= 1000) {
    const seconds = Math.round(ms / 1000)
    return seconds % 60 === 0 ? `${seconds / 60}m` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`
  }
  return step >= 100 || ms === 0 ? `${trimNumber(ms / 1000, 3)} s` : `${trimNumber(ms, 3)} ms`
}

/** Preferred scale in pixels per millisecond. */
const preferredPxPerMs = 10

/** Returns the preferred width of a time range. In a narrower window the scale is compressed to fit. */
export const getPreferredWidth = (ms: number): number => Math.max(1, ms * preferredPxPerMs)

/** Returns the scale in pixels per millisecond for this width. */
export const getScale = (ms: number, width: number): number =>
  ms > 0 ? Math.min(preferredPxPerMs, width / ms) : preferredPxPerMs

const minuteMs = 60_000
const minuteSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600].map((count) => count * minuteMs)

/** Returns a round step: 1, 2 or 5 of a unit. */
const findRoundStep = (minStep: number): number => {
  if (minStep <= 30_000 / 1.5) {
    const unit = 10 ** Math.floor(Math.log10(Math.max(minStep, 1e-6)))
    return [1, 2, 5, 10].map((count) => count * unit).find((step) => step >= minStep) ?? unit * 10
  }
  return (
    [30_000, ...minuteSteps].find((step) => step >= minStep) ?? Math.ceil(minStep / (60 * minuteMs)) * 60 * minuteMs
  )
}

/** Returns the marks of the time scale in a range, at least `minDistance` pixels apart. */
export const createTicks = (
  from: number,
  to: number,
  width: number,
  minDistance = 62,
): { time: number; text: string }[] => {
  const length = to - from
  if (!(length > 0)) return [{ time: from, text: formatTick(from, 1000) }]
  const step = findRoundStep(minDistance / getScale(length, width))
  const first = Math.ceil(from / step)
  const count = Math.min(200, Math.floor(to / step) - first + 1)
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const time = (first + index) * step
    return { time, text: formatTick(time, step) }
  })
}
