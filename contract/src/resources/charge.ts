import { defineRoute } from '../kit/route'

/** Always empty: this server does not bill per call. */
export const charges = defineRoute<{ response: never[] }>()(
  'GET',
  '/Accounts/:account_sid/Charges',
  'List charges (always empty)',
)
