import { defineRoute } from '../kit/route'
import type { AccountTest } from '../shapes/account-test'

/** The phone numbers and applications of a service provider that anyone may use for test calls. */
export const accountTest = defineRoute<{ response: AccountTest }>()(
  'GET',
  '/AccountTest/:service_provider_sid',
  'List the test numbers and test applications of a service provider',
  { isPublic: true },
)
