import { route } from '../kit/route'
import type { PredefinedCarrier } from '../shapes/predefined-carrier'

type Created = { body?: undefined; response: { sid: string } }

export const predefinedCarriers = route<{ response: PredefinedCarrier[] }>()(
  'GET',
  '/PredefinedCarriers',
  'List the carriers whose settings are known in advance',
  { isPublic: true },
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
