import { route } from '../kit/route'
import type { PredefinedCarrier } from '../shapes/predefined-carrier'

type Created = { body?: undefined; answer: { sid: string } }

export const predefinedCarriers = route<{ answer: PredefinedCarrier[] }>()(
  'GET',
  '/PredefinedCarriers',
  'List the carriers whose settings are known in advance',
  { open: true },
)

export const addPredefinedToProvider = route<Created>()(
  'POST',
  '/ServiceProviders/:service_provider_sid/PredefinedCarriers/:predefined_carrier_sid',
  'Add a predefined carrier, with its gateways, to a service provider',
)

export const addPredefinedToAccount = route<Created>()(
  'POST',
  '/Accounts/:account_sid/PredefinedCarriers/:predefined_carrier_sid',
  'Add a predefined carrier, with its gateways, to an account',
)
