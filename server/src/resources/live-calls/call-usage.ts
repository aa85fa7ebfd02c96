import type { CallUsage } from '@trunkline/contract/shapes/live-call'
import type { LiveCall } from '../../ports/live-platform'

/** A limit of concurrent calls. `account_sid`: null for the limit of the provider. */
interface CallLimit {
  account_sid: string | null
  quantity: number
}

/** The used share of a limit from which it is listed. */
const listedShare = 0.9

/** Counts the calls in progress of a tenant, and finds the limits that they almost reach. */
export const buildCallUsage = (
  calls: readonly LiveCall[],
  limits: readonly CallLimit[],
): Omit<CallUsage, 'limits'> & { limits: (CallLimit & { calls: number })[] } => {
  const callsByAccount = new Map<string, number>()
  for (const { accountSid = '' } of calls) callsByAccount.set(accountSid, (callsByAccount.get(accountSid) ?? 0) + 1)
  const countDirection = (direction: string) => calls.filter((call) => call.direction === direction).length
  return {
    calls: calls.length,
    inbound: countDirection('inbound'),
    outbound: countDirection('outbound'),
    limits: limits
      .map(({ account_sid, quantity }) => ({
        account_sid,
        quantity,
        calls: account_sid === null ? calls.length : (callsByAccount.get(account_sid) ?? 0),
      }))
      .filter((limit) => limit.quantity > 0 && limit.calls >= listedShare * limit.quantity)
      .toSorted((a, b) => b.calls / b.quantity - a.calls / a.quantity),
  }
}
