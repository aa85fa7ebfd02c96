import { defineRoute } from '../kit/route'

const publicOptions = { isPublic: true } as const

/** Routes for messaging providers. No provider is supported, so both refuse every request. */
export const messageFromCarrier = defineRoute()(
  'POST',
  '/messaging/:provider',
  'Refused: no provider of messages is known',
  publicOptions,
)
export const messageToCarrier = defineRoute()(
  'POST',
  '/outboundSMS',
  'Refused: no provider of messages is known',
  publicOptions,
)
