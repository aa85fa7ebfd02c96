import { readOwnPlan, type OwnPlan } from '../../panels/subscription/own-plan'

const pollDelayMs = 1_000
const maxWaitMs = 10_000

const delay = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs))

/**
 * Waits until the plan shows a payment, which the payment provider reports to the server. Resolves to false after ten
 * seconds without it.
 */
export const waitForPlan = async (hasArrived: (plan: OwnPlan) => boolean): Promise<boolean> => {
  const deadline = Date.now() + maxWaitMs
  for (;;) {
    const plan = await readOwnPlan().catch(() => undefined)
    if (plan && hasArrived(plan)) return true
    if (Date.now() + pollDelayMs > deadline) return false
    await delay(pollDelayMs)
  }
}
