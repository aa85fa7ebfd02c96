import * as z from 'zod'
import type { IdentityProvider } from '../../ports/identity-provider'
import { createOAuthClient, type OAuthClientOptions } from './oauth-client'

export interface GithubOptions extends Omit<OAuthClientOptions, 'providerName'> {
  apiUrl: string
}

const userSchema = z.object({
  id: z.number().int().positive(),
  login: z.string().min(1).max(255),
  avatar_url: z.string().nullish(),
})
const emailsSchema = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** Sign-in with GitHub. */
export const createGithubIdentityProvider = ({ apiUrl, ...options }: GithubOptions): IdentityProvider => {
  const client = createOAuthClient({ ...options, providerName: 'GitHub' })
  return {
    clientId: options.clientId,
    async identify(response) {
      const token = await client.exchangeCode(response)
      const { id, login, avatar_url } = await client.read(`${apiUrl}/user`, token, userSchema)
      // The profile contains an address only if the user publishes one, and does not say whether it is verified.
      const emails = await client.read(`${apiUrl}/user/emails`, token, emailsSchema)
      const email = emails.find(({ primary, verified }) => primary && verified)?.email.toLowerCase()
      return {
        id: String(id),
        userid: login,
        ...(email ? { email } : {}),
        ...(avatar_url ? { picture: avatar_url } : {}),
      }
    },
  }
}
