import { countAllowedDevices, readQuantities } from '@trunkline/contract/billing/capacity'
import { getPlanState } from '@trunkline/contract/billing/plan-state'
import type { Account } from '@trunkline/contract/shapes/account'

/** What the plan of an account grants. Undefined if the server does not report it, and after a trial. */
export const getGrantedCapacity = (row: Account): { calls: number; devices: number } | undefined => {
  const { subscription, plan_type, device_to_call_ratio } = row
  if (!subscription || getPlanState(row, subscription.status) === 'trial_expired') return undefined
  const quantities = readQuantities(subscription.products)
  return {
    calls: quantities.voice_call_session,
    devices: countAllowedDevices(plan_type, quantities, device_to_call_ratio),
  }
}
