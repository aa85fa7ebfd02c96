import { route } from '../kit/route'

const isPublicRoute = { isPublic: true } as const

/** Routes for messaging providers. No provider is supported, so both refuse every request. */
export const messageFromCarrier = route()(
  'POST',
  '/messaging/:provider',
  'Refused: no provider of messages is known',
  isPublicRoute,
)
export const messageToCarrier = route()(
  'POST',
  '/outboundSMS',
  'Refused: no provider of messages is known',
  isPublicRoute,
)
