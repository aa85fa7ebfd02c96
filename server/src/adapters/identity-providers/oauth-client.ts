import * as z from 'zod'
import { IdentityRefusedError, type AuthorizationResponse } from '../../ports/identity-provider'
import { UnavailableError } from '../../ports/service-errors'
import { createAddressCheck } from '../net/allowed-targets'
import { createGuardedSender, readBody } from '../net/guarded-request'

const defaultTimeoutMs = 10_000
const maxBodyBytes = 256 * 1024

export interface OAuthClientOptions {
  /** The subject of error messages. */
  providerName: string
  clientId: string
  clientSecret: string
  tokenUrl: string
  /** Timeout of each request. */
  timeoutMs?: number
}

/** An error code of RFC 6749 or of the provider, as words. Other texts of the provider are not repeated. */
const describeErrorCode = (code: unknown): string =>
  typeof code === 'string' && /^[a-z_]{1,64}$/.test(code) ? code.replaceAll('_', ' ') : 'invalid grant'

const tokenSchema = z.object({ access_token: z.string().min(1).max(8192) })
const errorSchema = z.object({ error: z.unknown() })

/** Requests to a provider's endpoints: the exchange of a code for a token, and the resources that the token gives access to. */
export const createOAuthClient = ({
  providerName,
  clientId,
  clientSecret,
  tokenUrl,
  timeoutMs = defaultTimeoutMs,
}: OAuthClientOptions) => {
  // The URLs are settings of the operator, and may be in a private network.
  const send = createGuardedSender(createAddressCheck(true))

  const createUnreadableResponseError = () =>
    new UnavailableError(`${providerName} returned an unreadable response. Try again later.`)

  /** Sends a request and returns the status with the JSON of the response. */
  const sendForJson = async (url: string, options: { method: string; headers: object; body?: string }) => {
    const { status, bytes, isComplete } = await send(
      new URL(url),
      {
        ...options,
        // GitHub refuses requests without a user agent.
        headers: { accept: 'application/json', 'user-agent': 'trunkline', ...options.headers },
        signal: AbortSignal.timeout(timeoutMs),
      },
      async (response) => ({ status: response.statusCode ?? 0, ...(await readBody(response, maxBodyBytes)) }),
    ).catch(() => {
      throw new UnavailableError(`${providerName} does not respond. Try again later.`)
    })
    if (status >= 500 || status === 429) throw new UnavailableError(`${providerName} failed. Try again later.`)
    try {
      if (isComplete) return { status, json: JSON.parse(bytes.toString()) as unknown }
    } catch {
      // Reported below.
    }
    throw createUnreadableResponseError()
  }

  return {
    /** Exchanges a code for an access token. */
    async exchangeCode({ code, state, redirectUri, codeVerifier }: AuthorizationResponse): Promise<string> {
      const { json } = await sendForJson(tokenUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: clientId,
          client_secret: clientSecret,
          code,
          state,
          redirect_uri: redirectUri,
          ...(codeVerifier ? { code_verifier: codeVerifier } : {}),
        }).toString(),
      })
      // GitHub reports errors with the status 200.
      const refusal = errorSchema.safeParse(json)
      if (refusal.success && refusal.data.error !== undefined)
        throw new IdentityRefusedError(describeErrorCode(refusal.data.error))
      const token = tokenSchema.safeParse(json)
      if (!token.success) throw createUnreadableResponseError()
      return token.data.access_token
    },

    /** Reads a resource with an access token. */
    async read<S extends z.ZodType>(url: string, token: string, schema: S): Promise<z.output<S>> {
      const { status, json } = await sendForJson(url, {
        method: 'GET',
        headers: { authorization: `Bearer ${token}` },
      })
      if (status >= 400) throw new IdentityRefusedError(`${providerName} does not disclose your email address`)
      const resource = schema.safeParse(json)
      if (!resource.success) throw createUnreadableResponseError()
      return resource.data
    },
  }
}
