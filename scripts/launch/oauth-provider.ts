// The sign-in of Google and GitHub for tests and for the demo of the hosted edition: an OAuth server on the loopback
// interface, with the endpoints of both companies. Its sign-in page offers sample identities instead of asking for a password.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'

export interface SampleIdentity {
  /** The ID at both companies. */
  id: number
  /** The login at GitHub. */
  login: string
  name: string
  email: string
  isEmailVerified: boolean
}

export const sampleIdentities: readonly SampleIdentity[] = [
  { id: 5550101, login: 'nora-new', name: 'Nora Newman', email: 'nora@example.org', isEmailVerified: true },
  { id: 5550102, login: 'omar-ops', name: 'Omar Ortiz', email: 'Omar@Example.org', isEmailVerified: true },
  { id: 5550103, login: 'uma-unverified', name: 'Uma Unger', email: 'uma@example.org', isEmailVerified: false },
]

const companies = ['github', 'google'] as const
export type Company = (typeof companies)[number]

const clients = {
  github: { clientId: 'github-client', clientSecret: 'github-client-secret' },
  google: { clientId: 'google-client', clientSecret: 'google-client-secret' },
}

export interface OAuthProviderOptions {
  /** The URL of the console, to whose callback pages browsers return. */
  consoleUrl: string
  /** A free port by default. */
  port?: number
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

const sendJson = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const renderSignInPage = (company: Company, identities: readonly SampleIdentity[]) => {
  const title = `Sign in to a stand-in for ${company === 'github' ? 'GitHub' : 'Google'}`
  const buttons = identities.map(
    ({ id, name, email }) =>
      `<p><button name="identity" value="${id}">${escapeHtml(name)} (${escapeHtml(email)})</button></p>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
    <meta name="viewport" content="width=device-width"></head><body><main><h1>${title}</h1>
    <p>This page belongs to a test or a demonstration. Choose who you are.</p>
    <form method="post">${buttons.join('')}<p><button name="identity" value="">Cancel</button></p></form></main></body></html>`
}

const buildConfiguration = ({ consoleUrl }: OAuthProviderOptions): Configuration => ({
  clients: companies.map((company) => ({
    client_id: clients[company].clientId,
    client_secret: clients[company].clientSecret,
    redirect_uris: [`${consoleUrl}/oauth-callback/${company}`],
    response_types: ['code'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'client_secret_post',
  })),
  scopes: ['email', 'profile', 'user:email'],
  // Both companies support PKCE, and do not require it of clients with a secret.
  pkce: { required: () => false },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  cookies: { keys: [randomUUID()] },
  ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, Interaction: 600, Session: 600 },
  // Whoever chooses an identity also allows the client to read it.
  async loadExistingGrant({ oidc }) {
    const grant = new oidc.provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
    grant.addOIDCScope('email profile user:email')
    await grant.save()
    return grant
  },
})

/** The authorization endpoints of the companies, which lead to the standard one. */
const authorizationPaths: Record<string, Company> = {
  '/login/oauth/authorize': 'github',
  '/o/oauth2/v2/auth': 'google',
}

const redirectToAuthorization = (url: URL, response: ServerResponse) => {
  const target = new URL('/auth', url)
  target.search = url.search
  // GitHub has no other response types and does not expect the parameter.
  target.searchParams.set('response_type', 'code')
  target.searchParams.set('prompt', 'login')
  response.writeHead(302, { location: target.href }).end()
}

/** GitHub's error code for a standard one. */
const githubErrors: Record<string, string> = {
  invalid_grant: 'bad_verification_code',
  invalid_client: 'incorrect_client_credentials',
}

/** GitHub's token endpoint: errors have the status 200 and other codes. */
const exchangeGithubCode = async (url: URL, request: IncomingMessage, response: ServerResponse) => {
  const form = new URLSearchParams(await readBody(request))
  form.set('grant_type', 'authorization_code')
  const tokenResponse = await fetch(new URL('/token', url), { method: 'POST', body: form })
  const body = (await tokenResponse.json()) as { error?: string; error_description?: string }
  const { error, error_description } = body
  sendJson(response, 200, error ? { error: githubErrors[error] ?? error, error_description } : body)
}

/** The resources that an access token of a company gives access to. */
const resources: Record<string, { company: Company; present: (identity: SampleIdentity) => unknown }> = {
  '/oauth2/v2/userinfo': {
    company: 'google',
    present: ({ id, name, email, isEmailVerified }) => ({
      id: String(id),
      email,
      verified_email: isEmailVerified,
      name,
      picture: `https://pictures.example.org/${id}`,
    }),
  },
  '/api/user': {
    company: 'github',
    present: ({ id, login, name }) => ({
      id,
      login,
      name,
      email: null,
      avatar_url: `https://avatars.example.org/${id}`,
    }),
  },
  '/api/user/emails': {
    company: 'github',
    present: ({ login, email, isEmailVerified }) => [
      { email: `${login}@users.noreply.example.org`, primary: false, verified: true, visibility: null },
      { email, primary: true, verified: isEmailVerified, visibility: 'private' },
    ],
  },
}

/** Starts the server. `identities` may be changed at any time. */
export const startOAuthProvider = async (options: OAuthProviderOptions) => {
  const identities: SampleIdentity[] = structuredClone([...sampleIdentities])
  /** Responses of tests, by path, instead of the normal ones. */
  const responses = new Map<string, (response: ServerResponse) => void>()
  const findIdentity = (accountId: string) => identities.find(({ id }) => String(id) === accountId)

  const sendResource = async (path: string, request: IncomingMessage, response: ServerResponse) => {
    const { company, present } = resources[path]!
    const token = await provider.AccessToken.find((request.headers.authorization ?? '').replace(/^Bearer /, ''))
    const identity = token?.clientId === clients[company].clientId ? findIdentity(token.accountId) : undefined
    if (identity) sendJson(response, 200, present(identity))
    else sendJson(response, 401, { message: 'Bad credentials' })
  }

  const handleSignInPage = async (request: IncomingMessage, response: ServerResponse) => {
    const { params } = await provider.interactionDetails(request, response)
    const company = companies.find((name) => clients[name].clientId === params.client_id)!
    if (request.method !== 'POST')
      return void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(renderSignInPage(company, identities))
    const accountId = new URLSearchParams(await readBody(request)).get('identity')
    await provider.interactionFinished(
      request,
      response,
      accountId ? { login: { accountId } } : { error: 'access_denied', error_description: 'The user canceled.' },
    )
  }

  const handleRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestUrl = new URL(request.url ?? '/', url)
    const { pathname: path } = requestUrl
    const respond = responses.get(path)
    if (respond) return respond(response)
    if (authorizationPaths[path]) return redirectToAuthorization(requestUrl, response)
    if (path === '/login/oauth/access_token') return exchangeGithubCode(requestUrl, request, response)
    if (resources[path]) return sendResource(path, request, response)
    if (path.startsWith('/interaction/')) return handleSignInPage(request, response)
    return handleOAuth(request, response)
  }

  const server = createServer((request, response) => {
    handleRequest(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, buildConfiguration(options))
  const handleOAuth = provider.callback()

  return {
    url,
    identities,
    responses,
    /** The settings with which the server signs users in here. */
    settings: {
      GITHUB_CLIENT_ID: clients.github.clientId,
      GITHUB_CLIENT_SECRET: clients.github.clientSecret,
      GITHUB_AUTHORIZATION_URL: `${url}/login/oauth/authorize`,
      GITHUB_TOKEN_URL: `${url}/login/oauth/access_token`,
      GITHUB_API_URL: `${url}/api`,
      GOOGLE_CLIENT_ID: clients.google.clientId,
      GOOGLE_CLIENT_SECRET: clients.google.clientSecret,
      GOOGLE_AUTHORIZATION_URL: `${url}/o/oauth2/v2/auth`,
      GOOGLE_TOKEN_URL: `${url}/token`,
      GOOGLE_USERINFO_URL: `${url}/oauth2/v2/userinfo`,
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type OAuthProvider = Awaited<ReturnType<typeof startOAuthProvider>>

/**
 * Opens an authorization URL and chooses an identity, as a browser would. Returns the parameters with which the browser
 * returns to the console. Without an identity, the user cancels.
 */
export const authorize = async (authorizationUrl: URL, identityId?: number): Promise<URLSearchParams> => {
  const cookies = new Map<string, string>()
  const request = async (target: URL, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(target, { ...init, redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]!.split(/=(.*)/s)
      cookies.set(name, value)
    }
    return response
  }
  let target = authorizationUrl
  for (;;) {
    let response = await request(target)
    if (response.status === 200 && target.pathname.startsWith('/interaction/'))
      response = await request(target, {
        method: 'POST',
        body: new URLSearchParams({ identity: String(identityId ?? '') }),
      })
    const location = response.headers.get('location')
    if (!location) throw new Error(`${target.href}: ${response.status} ${await response.text()}`)
    target = new URL(location, target)
    if (target.origin !== authorizationUrl.origin) return target.searchParams
  }
}
