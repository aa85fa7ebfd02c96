import { defineRoute } from '../kit/route'
import type { AccountTest } from '../shapes/account-test'

/** What a service provider keeps for people to try. */
export const accountTest = defineRoute<{ response: AccountTest }>()(
  'GET',
  '/AccountTest/:service_provider_sid',
  'List the test numbers and test applications of a service provider',
  { isPublic: true },
)
