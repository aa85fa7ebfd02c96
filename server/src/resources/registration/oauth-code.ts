import type { FastifyRequest } from 'fastify'
import { identityProviders as providerNames, type IdentityProvider } from '@trunkline/contract/shapes/registration'
import { messages } from '@trunkline/contract/messages/registration'
import { badRequest, forbidden, unprocessable } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'
import { IdentityRefusedError, type Identity } from '../../ports/identity-provider'
import type { Services } from '../../composition/services'
import type { RegistrationBody } from './local'

const requiredFields = ['oauth2_code', 'oauth2_state', 'oauth2_client_id', 'oauth2_redirect_uri'] as const

/** A code opens one session. Identity providers also refuse used codes; their codes are valid for at most ten minutes. */
const codeLimit = { name: 'oauth codes', max: 1, seconds: 3600 }

const isProviderName = (name: string): name is IdentityProvider => providerNames.some((known) => known === name)

export type OAuthCodeServices = Pick<Services, 'identityProviders' | 'attemptCounts'>

/** Returns a function that exchanges the code of a request for the identity of its user. */
export const createIdentityReader = (
  { identityProviders, attemptCounts }: OAuthCodeServices,
  { publicUrl }: { publicUrl: string },
) => {
  const findProvider = (name: string) => {
    const provider = isProviderName(name) ? identityProviders[name] : undefined
    if (!provider) throw unprocessable(messages.unknownProvider(name), 'provider')
    return provider
  }

  const checkFields = (body: RegistrationBody, name: string, clientId: string) => {
    for (const field of requiredFields)
      if (!body[field]) throw badRequest(`missing ${field} for provider ${name}`, field)
    if (body.oauth2_client_id !== clientId) throw badRequest('invalid oauth2_client_id', 'oauth2_client_id')
    if (body.oauth2_redirect_uri !== `${publicUrl}/oauth-callback/${name}`)
      throw badRequest('invalid oauth2_redirect_uri', 'oauth2_redirect_uri')
  }

  return async (body: RegistrationBody, name: string, request: FastifyRequest): Promise<Identity> => {
    const provider = findProvider(name)
    checkFields(body, name, provider.clientId)
    const { oauth2_code, oauth2_state, oauth2_redirect_uri, oauth2_code_verifier } = body
    const refuse = (message: string, reason: string) => {
      logSecurityEvent(request, 'sign_in_failed', { reason })
      return forbidden(message)
    }
    // Counted before the exchange, so that of parallel requests with the same code at most one gets the identity.
    if ((await attemptCounts.add(codeLimit, `${name} ${oauth2_code}`)) > 0)
      throw refuse(messages.usedOauthCode, 'used code')
    try {
      return await provider.identify({
        code: oauth2_code!,
        state: oauth2_state!,
        redirectUri: oauth2_redirect_uri!,
        ...(oauth2_code_verifier ? { codeVerifier: oauth2_code_verifier } : {}),
      })
    } catch (error) {
      if (error instanceof IdentityRefusedError) throw refuse(error.message, 'refused by the identity provider')
      throw error
    }
  }
}
