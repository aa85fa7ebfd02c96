import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/application'
import { appEnv } from '@trunkline/contract/resources/app-env'
import { findEnvErrors, convertEnv, type EnvSchema, type EnvVariable } from '@trunkline/contract/telephony/app-env'
import { findWebhookUrlError } from '@trunkline/contract/telephony/webhook-url'
import type { FieldErrors } from '../../kit/form/form'
import { request } from '../../lib/client'
import { Problem } from '../../lib/problem'
import { namedQueryKey } from '../../lib/query-keys'
import type { ApplicationValues } from './values'

/** A server without this route returns 404: the webhook is then treated as one without variables. */
const returnNullIfNotFound = (error: unknown) => {
  if (error instanceof Problem && error.status === 404) return null
  throw error
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const variableTypes: readonly unknown[] = ['string', 'number', 'boolean'] satisfies EnvVariable['type'][]

/**
 * Reads the schema that a webhook returned, because other servers pass it on unchecked. Variables that are not objects are
 * left out, and a variable of an unknown type is a string.
 */
export const readEnvSchema = (schema: unknown): EnvSchema | null =>
  isObject(schema)
    ? Object.fromEntries(
        Object.entries(schema)
          .filter((entry): entry is [string, Record<string, unknown>] => isObject(entry[1]))
          .map(([name, { type, description, enum: allowedValues, ...variable }]) => [
            name,
            {
              ...variable,
              type: variableTypes.includes(type) ? (type as EnvVariable['type']) : 'string',
              description: typeof description === 'string' ? description : '',
              ...(Array.isArray(allowedValues) ? { enum: allowedValues } : {}),
            },
          ]),
      )
    : null

const canHaveSchema = (url: string) => url !== '' && findWebhookUrlError('url', url) === undefined

/** The query for the schema of the variables that a webhook accepts; null if it returns none. */
export const createEnvSchemaQuery = (url: string) =>
  queryOptions({
    queryKey: namedQueryKey('app_env', 'schema', url),
    queryFn: ({ signal }): Promise<EnvSchema | null> =>
      request(appEnv, { query: { url }, signal }).then(readEnvSchema, returnNullIfNotFound),
    enabled: canHaveSchema(url),
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })

/** The calling webhook's schema, if it is already in the cache. */
export const getCachedEnvSchema = (cache: QueryClient, { call_hook }: ApplicationValues): EnvSchema | null =>
  cache.getQueryData<EnvSchema | null>(createEnvSchemaQuery(call_hook.url.trim()).queryKey) ?? null

const formatInvalidMessage = (name: string, { type, enum: allowedValues }: EnvVariable) =>
  allowedValues ? messages.variable.oneOf(name, allowedValues.map(String)) : messages.variable.wrongType(name, type)

/** Returns the field errors of the variables. Reports missing variables only with `includeMissing`. */
export const findVariableErrors = (
  schema: EnvSchema,
  { env_vars }: ApplicationValues,
  { includeMissing = false } = {},
): FieldErrors =>
  Object.fromEntries(
    (env_vars ? findEnvErrors(schema, convertEnv(schema, env_vars)) : [])
      .filter(({ kind }) => includeMissing || kind === 'invalid')
      .map(({ name, kind }) => [
        `env_vars.${name}`,
        kind === 'missing' ? messages.variable.missing(name) : formatInvalidMessage(name, schema[name]!),
      ]),
  )

/** Returns all field errors of the variables, and requests the schema first if it is not in the cache. */
export const fetchVariableErrors = async (cache: QueryClient, values: ApplicationValues): Promise<FieldErrors> => {
  const url = values.call_hook.url.trim()
  // `fetchQuery` ignores the `enabled` option of the query
  if (!canHaveSchema(url)) return {}
  const schema = await cache.fetchQuery(createEnvSchemaQuery(url)).catch(() => null)
  return schema ? findVariableErrors(schema, values, { includeMissing: true }) : {}
}
