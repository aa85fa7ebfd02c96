import { route } from '../kit/route'

const isPublicRoute = { isPublic: true } as const

/** By providers of messages, of which there are none here. */
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
