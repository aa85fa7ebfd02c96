import type { EnvSchema } from '@trunkline/contract/telephony/app-env'

/** The webhook's schema, no schema, an invalid schema, or 'refused': the server may not send requests to this URL. */
export type AppEnvSchemaResult =
  { kind: 'schema'; schema: EnvSchema } | { kind: 'none' } | { kind: 'malformed' } | { kind: 'refused' }

/** Requests the schema of the environment variables that a webhook (http, https, ws or wss) accepts. */
export type FetchAppEnvSchema = (url: string) => Promise<AppEnvSchemaResult>
