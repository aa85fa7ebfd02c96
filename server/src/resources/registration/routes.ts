import type { FastifyInstance } from 'fastify'
import type { FeatureFlags } from '@trunkline/contract/feature-flags'
import { register } from '@trunkline/contract/resources/registration'
import { registrationResponseSchema, registrationSchema } from '@trunkline/contract/shapes/registration'
import { mountRoute } from '../../http/mount-route'
import { badRequest, unprocessable } from '../../http/problem'
import type { Services } from '../../composition/services'
import { refuseWhileWaiting } from '../../shared/attempt-limits'
import { activationRoutes, type ActivationServices } from './activation'
import { createCodeMailer, type CodeMailerServices } from './code-mailer'
import { createLocalRegistration, type LocalRegistrationServices, type RegistrationBody } from './local'
import { createOAuthRegistration, type OAuthRegistrationServices } from './oauth'
import { findRegistrationProvider } from './provider'

/** How many registrations one client network may start. Users of identity providers also sign in with this route. */
const registrationLimit = { name: 'registrations', max: 60, seconds: 3600 }

type RegistrationServices = ActivationServices &
  CodeMailerServices &
  LocalRegistrationServices &
  OAuthRegistrationServices &
  Pick<Services, 'hostedEdition'>

interface RegistrationOptions {
  publicUrl: string
  features: Pick<FeatureFlags, 'forgotPassword'>
}

/** The routes of self-registration. They are mounted only in the hosted edition. */
export const registrationRoutes = (
  app: FastifyInstance,
  services: RegistrationServices,
  { publicUrl, features }: RegistrationOptions,
): void => {
  if (!services.hostedEdition) return
  const codeMailer = createCodeMailer(services, { publicUrl, canResetPassword: features.forgotPassword })
  const registerLocalUser = createLocalRegistration(services, codeMailer)
  const registerWithIdentity = createOAuthRegistration(services, { publicUrl })
  activationRoutes(app, services, codeMailer)

  /** Throws unless the body names the provider of new accounts. */
  const checkServiceProvider = async ({ service_provider_sid }: RegistrationBody): Promise<string> => {
    if (!service_provider_sid) throw badRequest('missing service_provider_sid', 'service_provider_sid')
    if (service_provider_sid !== (await findRegistrationProvider(services)))
      throw unprocessable('invalid service_provider_sid', 'service_provider_sid')
    return service_provider_sid
  }

  mountRoute(
    app,
    register,
    { body: registrationSchema, response: registrationResponseSchema },
    async ({ body, actor, request }) => {
      const { provider } = body
      if (!provider) throw badRequest('missing provider', 'provider')
      const service_provider_sid = await checkServiceProvider(body)
      refuseWhileWaiting(await services.attemptCounts.addForNetwork(registrationLimit, request.ip))
      const input = { body, service_provider_sid, actor, request }
      return provider === 'local' ? registerLocalUser(input) : registerWithIdentity(provider, input)
    },
  )
}
