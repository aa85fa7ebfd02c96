import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/application'
import { appEnv } from '@trunkline/contract/resources/app-env'
import { findEnvErrors, convertEnv, type EnvSchema, type EnvVariable } from '@trunkline/contract/telephony/app-env'
import { findWebhookUrlError } from '@trunkline/contract/telephony/webhook-url'
import type { FieldErrors } from '../../kit/form/form'
import { request } from '../../lib/client'
import { Problem } from '../../lib/problem'
import type { ApplicationValues } from './values'

/** A server without this endpoint returns 404: treat the webhook as having no variables. */
const nullIfNotFound = (error: unknown) => {
  if (error instanceof Problem && error.status === 404) return null
  throw error
}

/** The schema of the variables that a webhook accepts; null if it returns none. */
export const envQuery = (url: string) =>
  queryOptions({
    queryKey: ['app_env', url],
    queryFn: ({ signal }): Promise<EnvSchema | null> =>
      request(appEnv, { query: { url }, signal }).then((schema) => schema ?? null, nullIfNotFound),
    enabled: url !== '' && findWebhookUrlError('url', url) === undefined,
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })

/** The calling webhook's schema, if it is already in the cache. */
export const getCachedSchema = (cache: QueryClient, { call_hook }: ApplicationValues): EnvSchema | null =>
  cache.getQueryData(envQuery(call_hook.url.trim()).queryKey) ?? null

const invalidMessage = (name: string, { type, enum: choices }: EnvVariable) =>
  choices ? messages.variable.oneOf(name, choices.map(String)) : messages.variable.wrongType(name, type)

/** Returns the field errors of the variables. Reports missing ones only if `includeMissing` is set. */
export const variableErrors = (
  schema: EnvSchema,
  { env_vars }: ApplicationValues,
  includeMissing = false,
): FieldErrors =>
  Object.fromEntries(
    (env_vars ? findEnvErrors(schema, convertEnv(schema, env_vars)) : [])
      .filter(({ kind }) => includeMissing || kind === 'invalid')
      .map(({ name, kind }) => [
        `env_vars.${name}`,
        kind === 'missing' ? messages.variable.missing(name) : invalidMessage(name, schema[name]!),
      ]),
  )

/** Returns all field errors of the variables, and requests the schema first if it is not in the cache. */
export const fetchVariableErrors = async (cache: QueryClient, values: ApplicationValues): Promise<FieldErrors> => {
  const schema = await cache.fetchQuery(envQuery(values.call_hook.url.trim())).catch(() => null)
  return schema ? variableErrors(schema, values, true) : {}
}
