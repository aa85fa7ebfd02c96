import type { FastifyInstance } from 'fastify'
import { appEnv } from '@trunkline/contract/resources/app-env'
import { envQuerySchema, envSchema } from '@trunkline/contract/shapes/app-env'
import { findEnvErrors, type EnvValues } from '@trunkline/contract/telephony/app-env'
import { findWebhookUrlError } from '@trunkline/contract/telephony/webhook-url'
import { mountRoute, noContent } from '../../http/mount-route'
import { badRequest } from '../../http/problem'
import type { FetchAppEnvSchema } from '../../ports/app-env'

/** The route that returns the environment variables that a webhook declares. */
export const appEnvRoutes = (app: FastifyInstance, fetchAppEnvSchema: FetchAppEnvSchema): void =>
  mountRoute(
    app,
    appEnv,
    { query: envQuerySchema, response: envSchema, otherResponses: { 204: noContent } },
    async ({ query: { url }, reply }) => {
      const error = findWebhookUrlError('url', url)
      if (error) throw badRequest(error, 'url')
      const result = await fetchAppEnvSchema(url)
      if (result.kind === 'refused')
        throw badRequest('url leads to an address that this server does not contact', 'url')
      if (result.kind === 'malformed') throw badRequest('Invalid appenv schema')
      if (result.kind === 'schema') return result.schema
      await reply.code(204).send()
    },
  )

const errorPrefixes = { missing: 'Missing required value', invalid: 'Invalid value/type for' }

/** Throws 400 if the webhook does not accept these variables. A webhook without a schema accepts any. */
export const checkEnvVars = async (
  fetchAppEnvSchema: FetchAppEnvSchema,
  url: string | undefined,
  values: EnvValues,
): Promise<void> => {
  const result = url ? await fetchAppEnvSchema(url) : undefined
  if (result?.kind !== 'schema') return
  const [error] = findEnvErrors(result.schema, values)
  if (error) throw badRequest(`${errorPrefixes[error.kind]} env_vars.${error.name}`, `env_vars.${error.name}`)
}
