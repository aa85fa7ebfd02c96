import { defineRoute } from '../kit/route'
import type { EnvSchema } from '../telephony/app-env'

/** Returns 204 without a body if the webhook declares no variables. */
export const appEnv = defineRoute<{ query: { url: string }; response: EnvSchema | undefined }>()(
  'GET',
  '/AppEnv',
  'Read the environment variables that a webhook accepts',
)
