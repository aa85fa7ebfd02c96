import { defineRoute } from '../kit/route'

const publicOptions = { isPublic: true } as const

/** Routes for messaging providers. No provider is supported, so both refuse every request. */
export const messageFromCarrier = defineRoute()(
  'POST',
  '/messaging/:provider',
  'Always refused: this server has no message providers',
  publicOptions,
)
export const messageToCarrier = defineRoute()(
  'POST',
  '/outboundSMS',
  'Always refused: this server has no message providers',
  publicOptions,
)
