import * as z from 'zod'
import type { IdentityProvider } from '../../ports/identity-provider'
import { createOAuthClient, type OAuthClientOptions } from './oauth-client'

export interface GoogleOptions extends Omit<OAuthClientOptions, 'providerName'> {
  userinfoUrl: string
}

const id = z.string().min(1).max(255)
const profile = { email: z.string().nullish(), picture: z.string().nullish() }

/** The profile of Google's own API, or that of OpenID Connect, which has other names. */
const userinfoSchema = z.union([
  z.object({ id, verified_email: z.boolean().nullish(), ...profile }),
  z
    .object({ sub: id, email_verified: z.boolean().nullish(), ...profile })
    .transform(({ sub, email_verified, ...names }) => ({ ...names, id: sub, verified_email: email_verified })),
])

/** Sign-in with Google. */
export const createGoogleIdentityProvider = ({ userinfoUrl, ...options }: GoogleOptions): IdentityProvider => {
  const client = createOAuthClient({ ...options, providerName: 'Google' })
  return {
    clientId: options.clientId,
    async identify(response) {
      const token = await client.exchangeCode(response)
      const { id, email, verified_email, picture } = await client.read(userinfoUrl, token, userinfoSchema)
      return {
        id,
        userid: id,
        ...(email && verified_email ? { email: email.toLowerCase() } : {}),
        ...(picture ? { picture } : {}),
      }
    },
  }
}
