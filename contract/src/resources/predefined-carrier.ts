import { defineRoute } from '../kit/route'
import type { PredefinedCarrier } from '../shapes/predefined-carrier'

type CreateRoute = { body?: undefined; response: { sid: string } }

export const predefinedCarriers = defineRoute<{ response: PredefinedCarrier[] }>()(
  'GET',
  '/PredefinedCarriers',
  'List predefined carriers',
  { isPublic: true },
)

export const addPredefinedToProvider = defineRoute<CreateRoute>()(
  'POST',
  '/ServiceProviders/:service_provider_sid/PredefinedCarriers/:predefined_carrier_sid',
  'Add a predefined carrier, with its gateways, to a service provider',
)

export const addPredefinedToAccount = defineRoute<CreateRoute>()(
  'POST',
  '/Accounts/:account_sid/PredefinedCarriers/:predefined_carrier_sid',
  'Add a predefined carrier, with its gateways, to an account',
)
