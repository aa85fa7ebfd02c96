import type { HrTime } from '@opentelemetry/api'

const anchorIntervalMs = 60_000

let anchoredAtMs = -Infinity
let offsetMs = 0

/**
 * The time of the system in milliseconds, with a fraction. `Date.now()` has none, so short spans would seem to end before
 * they start. The offset is measured again every minute, because the system's clock may be adjusted.
 */
export const readClock = (): number => {
  const elapsedMs = performance.now()
  if (elapsedMs - anchoredAtMs >= anchorIntervalMs) {
    anchoredAtMs = elapsedMs
    offsetMs = Date.now() - elapsedMs
  }
  return offsetMs + elapsedMs
}

/** A time of `readClock` as spans need it. */
export const toSpanTime = (timeMs: number): HrTime => {
  const seconds = Math.floor(timeMs / 1000)
  return [seconds, Math.floor((timeMs - seconds * 1000) * 1e6)]
}
