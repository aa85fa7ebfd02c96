import { route } from '../kit/route'

/** Nothing is charged by the call here, so there are none. */
export const charges = route<{ response: never[] }>()(
  'GET',
  '/Accounts/:account_sid/Charges',
  'List what was charged: nothing',
)
