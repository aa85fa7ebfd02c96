import { route } from '../kit/route'
import type { EnvSchema } from '../telephony/app-env'

/** Answers 204 without a body where the webhook describes no variables. */
export const appEnv = route<{ query: { url: string }; response: EnvSchema | undefined }>()(
  'GET',
  '/AppEnv',
  'Ask a webhook which environment variables it takes',
)
