import type { FastifyInstance } from 'fastify'
import { appEnv } from '@trunkline/contract/resources/app-env'
import { envQuery, envSchema } from '@trunkline/contract/shapes/app-env'
import { findEnvErrors, type EnvValues } from '@trunkline/contract/telephony/app-env'
import { findWebhookUrlError } from '@trunkline/contract/telephony/webhook-url'
import { mountRoute } from '../../http/mount-route'
import { badRequest } from '../../http/problem'
import type { AppEnv } from '../../ports/app-env'

/** Mounts the route that asks a webhook for its environment variables. */
export const appEnvRoutes = (app: FastifyInstance, fetchAppEnv: AppEnv): void =>
  mountRoute(app, appEnv, { query: envQuery, response: envSchema }, async ({ query: { url }, reply }) => {
    const error = findWebhookUrlError('url', url)
    if (error) throw badRequest(error, 'url')
    const result = await fetchAppEnv(url)
    if (result.kind === 'refused') throw badRequest('url leads to an address that this server does not contact', 'url')
    if (result.kind === 'malformed') throw badRequest('Invalid appenv schema')
    if (result.kind === 'schema') return result.schema
    await reply.code(204).send()
  })

const errorText = { missing: 'Missing required value', invalid: 'Invalid value/type for' }

/** Throws if the webhook does not accept these variables. Webhooks without a schema accept any. */
export const checkEnvVars = async (fetchAppEnv: AppEnv, url: string | undefined, values: EnvValues): Promise<void> => {
  const result = url ? await fetchAppEnv(url) : undefined
  if (result?.kind !== 'schema') return
  const [error] = findEnvErrors(result.schema, values)
  if (error) throw badRequest(`${errorText[error.kind]} env_vars.${error.name}`, `env_vars.${error.name}`)
}
