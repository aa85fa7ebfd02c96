/** The categories of limits. A quantity of 0 means unlimited; a category without a row has no setting. */
export const limitCategories = [
  'api_rate',
  'voice_call_session',
  'device',
  'voice_call_minutes',
  'voice_call_session_license',
  'voice_call_minutes_license',
] as const

export type LimitCategory = (typeof limitCategories)[number]

/** The largest quantity that the column holds. */
export const maxLimitQuantity = 2_147_483_647

/** The units of limits. Each has the category of the limit itself and that of the licensed amount. */
export const limitUnits = {
  session: { limit: 'voice_call_session', license: 'voice_call_session_license' },
  minute: { limit: 'voice_call_minutes', license: 'voice_call_minutes_license' },
} as const satisfies Record<string, { limit: LimitCategory; license: LimitCategory }>

export type LimitUnit = keyof typeof limitUnits
