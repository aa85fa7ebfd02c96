import { startRepeating, type TaskObserver } from './repeat'

const intervalMs = 3_600_000

interface Trials {
  endExpired: (signal: AbortSignal) => Promise<void>
  sendReminders: (signal: AbortSignal) => Promise<void>
}

/** Ends trials and announces their ends, at the start and every hour. Returns a function that stops the job. */
export const startTrials = (trials: Trials, observer: TaskObserver): (() => Promise<void>) =>
  startRepeating([(signal) => trials.endExpired(signal), (signal) => trials.sendReminders(signal)], {
    intervalMs,
    ...observer,
  })
