import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import {
  authorize,
  startOAuthProvider,
  type Company,
  type OAuthProvider,
  type SampleIdentity,
} from '../../scripts/launch/oauth-provider'
import { readConfig } from '../src/config/config'
import type { ApiClient, ApiResponse } from './api-client'
import { publicUrl, startHostedBackend, type HostedBackend } from './hosted-backend'

/** The configuration of the hosted edition for the settings of the OAuth provider. */
const readEdition = ({ settings }: OAuthProvider) => {
  const { github, google } = readConfig({
    DATA_DIR: tmpdir(),
    JWT_SECRET: 'test jwt secret',
    ENCRYPTION_SECRET: 'test encryption secret',
    ENABLE_HOSTED_SYSTEM: 'true',
    TERMS_URL: publicUrl,
    PRIVACY_URL: publicUrl,
    SMTP_URL: 'smtp://127.0.0.1',
    MAIL_FROM: 'a@example.com',
    ...settings,
  }).hostedEdition!
  return { github: github!, google: google! }
}

export interface IdentityClient extends HostedBackend {
  oauthProvider: OAuthProvider
  /** Adds a user of both companies. */
  addIdentity: (fields?: Partial<SampleIdentity>) => SampleIdentity
  /** Gets a code as the console does: with PKCE if there is a verifier. */
  fetchCode: (company: Company, identity: SampleIdentity, verifier?: string) => Promise<string>
  /** The body of a registration with a code. */
  buildBody: (company: Company, code: string, fields?: object) => Record<string, unknown>
  /** Signs in or registers with a new code. */
  signIn: (company: Company, identity: SampleIdentity, fields?: object, client?: ApiClient) => Promise<ApiResponse>
  /** Requests the code with which a user changes how to sign in, and reads it from the mail. */
  requestSignInCode: (user: ApiClient, registration: { user_sid: string; email: string }) => Promise<string>
  findUsers: (email: string) => Promise<Record<string, unknown>[]>
}

/** Starts a backend that signs users in at a stand-in for Google and GitHub. */
export const startIdentityClient = async ({
  edition = {},
  ...options
}: Parameters<typeof startHostedBackend>[0] = {}): Promise<IdentityClient> => {
  const oauthProvider = await startOAuthProvider({ consoleUrl: publicUrl })
  const backend = await startHostedBackend({ ...options, edition: { ...readEdition(oauthProvider), ...edition } })
  const { settings, identities } = oauthProvider
  const getRedirectUri = (company: Company) => `${publicUrl}/oauth-callback/${company}`

  const fetchCode: IdentityClient['fetchCode'] = async (company, { id }, verifier) => {
    const url = new URL(company === 'github' ? settings.GITHUB_AUTHORIZATION_URL : settings.GOOGLE_AUTHORIZATION_URL)
    url.search = new URLSearchParams({
      state: 'state-1',
      ...(company === 'github'
        ? { client_id: settings.GITHUB_CLIENT_ID, scope: 'user:email', allow_signup: 'false' }
        : { client_id: settings.GOOGLE_CLIENT_ID, scope: 'email profile', redirect_uri: getRedirectUri(company) }),
      ...(verifier
        ? {
            code_challenge: createHash('sha256').update(verifier).digest('base64url'),
            code_challenge_method: 'S256',
          }
        : {}),
    }).toString()
    return (await authorize(url, id)).get('code')!
  }

  const buildBody: IdentityClient['buildBody'] = (company, code, fields = {}) => ({
    provider: company,
    service_provider_sid: backend.serviceProviderSid,
    oauth2_code: code,
    oauth2_state: 'state-1',
    oauth2_client_id: company === 'github' ? settings.GITHUB_CLIENT_ID : settings.GOOGLE_CLIENT_ID,
    oauth2_redirect_uri: getRedirectUri(company),
    ...fields,
  })

  return {
    ...backend,
    oauthProvider,
    fetchCode,
    buildBody,
    addIdentity(fields = {}) {
      const id = 7000 + identities.length
      const names = { login: `user-${id}`, name: `User ${id}`, email: `user-${id}@example.org` }
      const identity = { id, ...names, isEmailVerified: true, ...fields }
      identities.push(identity)
      return identity
    },
    signIn: async (company, identity, fields = {}, client = backend.anonymousClient) =>
      client('POST', '/register', buildBody(company, await fetchCode(company, identity), fields)),
    async requestSignInCode(user, { user_sid, email }) {
      await user('POST', '/ActivationCode', { user_sid, type: 'email' })
      return backend.readCode(email)
    },
    findUsers: (email) => backend.database.db.selectFrom('users').selectAll().where('email', '=', email).execute(),
    close: async () => {
      await backend.close()
      await oauthProvider.stop()
    },
  }
}
