import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/application'
import { appEnv } from '@trunkline/contract/resources/app-env'
import { envErrors, filledEnv, type EnvSchema, type EnvVariable } from '@trunkline/contract/telephony/app-env'
import { webhookUrlError } from '@trunkline/contract/telephony/webhook-url'
import type { Faults } from '../../kit/form'
import { request } from '../../lib/client'
import { Problem } from '../../lib/problem'
import type { ApplicationValues } from './values'

/** No webhook has variables on a server that does not know the question. */
const unasked = (error: unknown) => {
  if (error instanceof Problem && error.status === 404) return null
  throw error
}

/** The variables that the webhook at an address takes; null when it says nothing. */
export const envQuery = (url: string) =>
  queryOptions({
    queryKey: ['app_env', url],
    queryFn: ({ signal }): Promise<EnvSchema | null> =>
      request(appEnv, { query: { url }, signal }).then((schema) => schema ?? null, unasked),
    enabled: url !== '' && webhookUrlError('url', url) === undefined,
    staleTime: 60_000,
    meta: { quiet: true },
  })

/** The variables of the calling webhook, as far as they are known by now. */
export const knownSchema = (cache: QueryClient, { call_hook }: ApplicationValues): EnvSchema | null =>
  cache.getQueryData(envQuery(call_hook.url.trim()).queryKey) ?? null

const sentence = (name: string, { type, enum: choices }: EnvVariable) =>
  choices ? messages.variable.oneOf(name, choices.map(String)) : messages.variable.wrong(name, type)

/** What is wrong with the variables, by field. Those that are missing are told only when all of them are asked about. */
export const variableFaults = (schema: EnvSchema, { env_vars }: ApplicationValues, missing = false): Faults =>
  Object.fromEntries(
    (env_vars ? envErrors(schema, filledEnv(schema, env_vars)) : [])
      .filter(({ kind }) => missing || kind === 'invalid')
      .map(({ name, kind }) => [
        `env_vars.${name}`,
        kind === 'missing' ? messages.variable.missing(name) : sentence(name, schema[name]!),
      ]),
  )

/** The variables as the webhook wants them, asked for when it was not yet. */
export const askedVariableFaults = async (cache: QueryClient, values: ApplicationValues): Promise<Faults> => {
  const schema = await cache.fetchQuery(envQuery(values.call_hook.url.trim())).catch(() => null)
  return schema ? variableFaults(schema, values, true) : {}
}
