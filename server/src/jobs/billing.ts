import { startRepeating, type TaskObserver } from './repeat'

const repairIntervalMs = 15_000
const reconciliationIntervalMs = 3_600_000

interface BillingTasks {
  /** Completes what a crash or an outage interrupted. */
  repairAll: (signal: AbortSignal) => Promise<void>
  /** Compares all accounts that pay with the payment provider. */
  reconcileAll: (signal: AbortSignal) => Promise<void>
  /** Reports prices that are not sold. */
  checkPrices: () => Promise<void>
  prune: () => Promise<void>
}

/** Keeps subscriptions and payment provider consistent: at the start, and by the clock. Returns a function that stops it. */
export const startBillingJobs = (
  { repairAll, reconcileAll, checkPrices, prune }: BillingTasks,
  observer: TaskObserver,
): (() => Promise<void>) => {
  const stopRepair = startRepeating([repairAll], { intervalMs: repairIntervalMs, ...observer })
  const stopReconciliation = startRepeating([checkPrices, reconcileAll, prune], {
    intervalMs: reconciliationIntervalMs,
    ...observer,
  })
  return async () => {
    await Promise.all([stopRepair(), stopReconciliation()])
  }
}
