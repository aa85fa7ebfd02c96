import { register } from '@trunkline/contract/resources/registration'
import { request } from '../../lib/client'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { localValues, sessionValues } from '../../lib/storage'
import { prepareLandingPath } from '../../session/landing-path'
import { getOauthClientId, getRedirectUri, type Authorization } from '../../session/oauth'
import { getCurrentSession, startSession } from '../../session/session'

/**
 * Signs in with the response of an identity provider, or registers an account. Returns the path to open. The server
 * exchanges the code: it has the secret of the OAuth client.
 */
export const signInWithProvider = async (authorization: Authorization): Promise<string> => {
  const { provider, code, state, verifier, pathBeforeOauth } = authorization
  const inviteCode = sessionValues.inviteCode.get()
  const { jwt, root_domain } = await request(register, {
    body: {
      provider,
      service_provider_sid: getFeatureFlags().defaultServiceProviderSid,
      oauth2_code: code,
      oauth2_state: state,
      oauth2_client_id: getOauthClientId(provider),
      oauth2_redirect_uri: getRedirectUri(provider),
      ...(verifier ? { oauth2_code_verifier: verifier } : {}),
      locationBeforeAuth: pathBeforeOauth,
      ...(inviteCode ? { inviteCode } : {}),
    },
    keepsSession: true,
  })
  if (!startSession(jwt)) throw new Error('The token is not usable')
  if (root_domain) localValues.rootDomain.set(root_domain)
  sessionValues.inviteCode.clear()
  const session = getCurrentSession()
  return session ? prepareLandingPath(session.actor) : paths.signIn
}
