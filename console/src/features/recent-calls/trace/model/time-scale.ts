/** Formatting and layout of times in a trace. */

/** Maximum length of names. */
const longest = 36

/** Shortens a span's name to the length of a row. */
export const cutName = (name: string): string => {
  const signs = [...name]
  return signs.length > longest ? `${signs.slice(0, longest).join('')}…` : name
}

/**
 * Splits a span's name into name and arguments, without the prefix 'verb:', shortened together to the length of a row.
 */
export const rowName = (name: string): { name: string; detail: string } => {
  const [, short = '', values] = /^(?:verb:)?([^{]+)(?:\{(.*)\})?$/s.exec(name) ?? [undefined, name]
  // add a space to separate 'vendor=google' from 'language=en-US'
  const spaced = values?.replace(/,(?=[\w -]+[={])/g, ', ') ?? ''
  const cut = cutName(spaced ? `${short} ${spaced}` : short)
  return spaced ? { name: cut.slice(0, short.length), detail: cut.slice(short.length + 1) } : { name: cut, detail: '' }
}

/** Formats a number with at most `places` decimals, without trailing zeros. */
const short = (value: number, places: number) => String(Number(value.toFixed(places)))

/** Formats a duration: milliseconds below one second, then seconds with two decimals, then minutes and seconds. */
export const durationText = (ms: number): string => {
  const whole = Math.round(ms)
  if (whole < 1000) return `${ms < 10 ? short(ms, 2) : whole} ms`
  if (Math.round(ms / 10) < 6000) return `${(ms / 1000).toFixed(2)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}m ${seconds % 60}s`
}

/** Formats a time on the scale. */
const tickText = (ms: number, step: number): string => {
  if (Math.abs(ms) >= 60_000 && step >= 1000) {
    const seconds = Math.round(ms / 1000)
    return seconds % 60 === 0 ? `${seconds / 60}m` : `${Math.floor(seconds / 60)}m ${seconds % 60}s`
  }
  return step >= 100 || ms === 0 ? `${short(ms / 1000, 3)} s` : `${short(ms, 3)} ms`
}

/** Preferred scale in pixels per millisecond. */
const natural = 10

/** Returns the preferred width of a time range. In a narrower window the scale is compressed to fit. */
export const naturalWidth = (ms: number): number => Math.max(1, ms * natural)

/** Returns the scale in pixels per millisecond for this width. */
export const scaleOf = (ms: number, width: number): number => (ms > 0 ? Math.min(natural, width / ms) : natural)

const minute = 60_000
const long = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600].map((count) => count * minute)

/** Returns a round step: 1, 2 or 5 of a unit. */
const stepOf = (least: number): number => {
  if (least <= 30_000 / 1.5) {
    const unit = 10 ** Math.floor(Math.log10(Math.max(least, 1e-6)))
    return [1, 2, 5, 10].map((count) => count * unit).find((step) => step >= least) ?? unit * 10
  }
  return [30_000, ...long].find((step) => step >= least) ?? Math.ceil(least / (60 * minute)) * 60 * minute
}

/** Returns the marks of the time scale in a range, at least `apart` pixels apart. */
export const ticksOf = (from: number, to: number, width: number, apart = 62): { at: number; text: string }[] => {
  const length = to - from
  if (!(length > 0)) return [{ at: from, text: tickText(from, 1000) }]
  const step = stepOf(apart / scaleOf(length, width))
  const first = Math.ceil(from / step)
  const count = Math.min(200, Math.floor(to / step) - first + 1)
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    const moment = (first + at) * step
    return { at: moment, text: tickText(moment, step) }
  })
}
