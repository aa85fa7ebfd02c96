import { defineRoute } from '../kit/route'
import type { AccountTest } from '../shapes/account-test'

/** What a service provider keeps for people to try. */
export const accountTest = defineRoute<{ response: AccountTest }>()(
  'GET',
  '/AccountTest/:service_provider_sid',
  'List the phone numbers and applications that a service provider keeps for trying',
  { isPublic: true },
)
