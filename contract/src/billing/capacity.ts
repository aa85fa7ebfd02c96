/** The products that an account buys. Their names are those in the platform's table. */
export const billedCategories = ['voice_call_session', 'device'] as const

export type BilledCategory = (typeof billedCategories)[number]

/** Names of the products in responses. */
export const productNames = {
  voice_call_session: 'concurrent call session',
  device: 'registered device',
} as const satisfies Record<BilledCategory, string>

/** The quantities that a paid plan may have. */
export const paidQuantityRanges = {
  voice_call_session: { min: 5, max: 1000 },
  device: { min: 0, max: 200 },
} as const satisfies Record<BilledCategory, { min: number; max: number }>

export type Quantities = Record<BilledCategory, number>

/** The quantities of the free plan. They are the limits themselves: no device is added per call session. */
export const freeQuantities: Quantities = { voice_call_session: 1, device: 1 }

/** The quantities of the products of a subscription. */
export const readQuantities = (products: readonly { name: string; quantity: number }[]): Quantities => {
  const quantityOf = (category: BilledCategory) =>
    Number(products.find(({ name }) => name === productNames[category])?.quantity ?? 0)
  return { voice_call_session: quantityOf('voice_call_session'), device: quantityOf('device') }
}

/**
 * How many devices may be registered. Each call session of a trial or paid plan includes `deviceToCallRatio` devices;
 * `quantities.device` is what was bought in addition.
 */
export const countAllowedDevices = (planType: string, quantities: Quantities, deviceToCallRatio: number): number =>
  planType === 'free' ? quantities.device : deviceToCallRatio * quantities.voice_call_session + quantities.device
