import type { EnvSchema } from '@trunkline/contract/telephony/app-env'

/** What came of asking a webhook for its variables: what it said, nothing, something that is no schema, or it may not be asked. */
export type AppEnvResult =
  { kind: 'schema'; schema: EnvSchema } | { kind: 'none' } | { kind: 'malformed' } | { kind: 'refused' }

/** Asks the webhook at an address (http, https, ws or wss) which environment variables it takes. */
export type AppEnv = (url: string) => Promise<AppEnvResult>
