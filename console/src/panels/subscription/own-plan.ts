import { countAllowedDevices, productNames, type Quantities } from '@trunkline/contract/billing/capacity'
import { getPlanState, type PlanState } from '@trunkline/contract/billing/plan-state'
import { currentUser } from '@trunkline/contract/resources/session'
import type { CurrentUser } from '@trunkline/contract/shapes/session'
import type { CurrentSubscription } from '@trunkline/contract/shapes/subscription'
import { request } from '../../lib/client'

/** The plan of the signed-in user's account. */
export interface OwnPlan {
  accountName: string
  planType: string
  state: PlanState
  trialEndDate: string | null
  /** Devices that come with each call session. */
  deviceToCallRatio: number
  quantities: Quantities
  /** Devices that may be registered. */
  devices: number
  subscription?: CurrentSubscription
  suspendReason?: string
  /** Quantities that wait for a payment. */
  pending?: { quantities: Quantities; devices: number }
}

type Products = CurrentSubscription['products']

const toQuantities = (products: Products): Quantities => {
  const quantityOf = (name: string) => Number(products.find((product) => product.name === name)?.quantity ?? 0)
  return {
    voice_call_session: quantityOf(productNames.voice_call_session),
    device: quantityOf(productNames.device),
  }
}

/** The text of a column. V1 servers send columns of bytes as the JSON form of Node's Buffer. */
export const toColumnText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value || undefined
  const data = (value as { type?: unknown; data?: unknown } | null | undefined)?.data
  return Array.isArray(data) ? new TextDecoder().decode(Uint8Array.from(data as number[])) || undefined : undefined
}

const toText = (value: unknown) => (typeof value === 'string' ? value : null)

/** The columns of the account. Their types differ between servers. */
const readAccount = ({ account }: CurrentUser) => ({
  accountName: toText(account.name) ?? '',
  planType: toText(account.plan_type) ?? 'free',
  trialEndDate: toText(account.trial_end_date),
  isActive: account.is_active === true || account.is_active === 1,
  deviceToCallRatio: Number(account.device_to_call_ratio ?? 0),
})

export const toOwnPlan = (me: CurrentUser): OwnPlan => {
  const { isActive, ...account } = readAccount(me)
  const { planType, trialEndDate, deviceToCallRatio } = account
  const { subscription } = me
  const planColumns = { plan_type: planType, is_active: isActive, trial_end_date: trialEndDate }
  const withDevices = (products: Products) => {
    const quantities = toQuantities(products)
    return { quantities, devices: countAllowedDevices(planType, quantities, deviceToCallRatio) }
  }
  const suspendReason = toColumnText(subscription?.suspend_reason)
  return {
    ...account,
    state: getPlanState(planColumns, subscription?.status),
    ...withDevices(subscription?.products ?? []),
    ...(subscription ? { subscription } : {}),
    ...(suspendReason ? { suspendReason } : {}),
    ...(subscription?.pending ? { pending: withDevices(subscription.pending.products) } : {}),
  }
}

/** Reads the plan without ending the session if the server is unreachable. */
export const readOwnPlan = (): Promise<OwnPlan> => request(currentUser, { isBackground: true }).then(toOwnPlan)

/** How the number of devices is calculated: '5 × 10 calls + 20 additional'. Absent on the free plan. */
export const describeDevices = (
  { deviceToCallRatio }: Pick<OwnPlan, 'deviceToCallRatio'>,
  { voice_call_session, device }: Quantities,
): string =>
  `${deviceToCallRatio} × ${voice_call_session.toLocaleString('en-US')} calls` +
  (device > 0 ? ` + ${device.toLocaleString('en-US')} additional` : '')
