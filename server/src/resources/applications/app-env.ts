import type { FastifyInstance } from 'fastify'
import { appEnv } from '@trunkline/contract/resources/app-env'
import { envQuery, envSchema } from '@trunkline/contract/shapes/app-env'
import { envFaults, type EnvValues } from '@trunkline/contract/telephony/app-env'
import { webhookUrlFault } from '@trunkline/contract/telephony/webhook-url'
import { mountRoute } from '../../http/mount-route'
import { badRequest } from '../../http/problem'
import type { AppEnv } from '../../ports/app-env'

/** Mounts the call that asks a webhook for its variables. */
export const appEnvRoutes = (app: FastifyInstance, ask: AppEnv): void =>
  mountRoute(app, appEnv, { query: envQuery, answer: envSchema }, async ({ query: { url }, reply }) => {
    const fault = webhookUrlFault('url', url)
    if (fault) throw badRequest(fault, 'url')
    const answer = await ask(url)
    if (answer.kind === 'refused') throw badRequest('url leads to an address that must not be asked', 'url')
    if (answer.kind === 'malformed') throw badRequest('Invalid appenv schema')
    if (answer.kind === 'schema') return answer.schema
    await reply.code(204).send()
  })

const words = { missing: 'Missing required value', invalid: 'Invalid value/type for' }

/** Refuses variables that the calling webhook says it cannot take. Where it says nothing, nothing is refused. */
export const checkEnvVars = async (ask: AppEnv, url: string | undefined, values: EnvValues): Promise<void> => {
  const answer = url ? await ask(url) : undefined
  if (answer?.kind !== 'schema') return
  const [fault] = envFaults(answer.schema, values)
  if (fault) throw badRequest(`${words[fault.kind]} env_vars.${fault.name}`, `env_vars.${fault.name}`)
}
