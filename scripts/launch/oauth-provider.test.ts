import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorize, sampleIdentities, startOAuthProvider, type OAuthProvider } from './oauth-provider'

const consoleUrl = 'https://voice.example.com'
const [identity, , unverifiedIdentity] = sampleIdentities

describe('the stand-in for the sign-in of Google and GitHub', () => {
  let provider: OAuthProvider
  beforeAll(async () => {
    provider = await startOAuthProvider({ consoleUrl })
  })
  afterAll(() => provider.stop())

  const buildGoogleUrl = (parameters: Record<string, string> = {}) => {
    const url = new URL(provider.settings.GOOGLE_AUTHORIZATION_URL)
    const { GOOGLE_CLIENT_ID: client_id } = provider.settings
    const redirect_uri = `${consoleUrl}/oauth-callback/google`
    url.search = new URLSearchParams({
      client_id,
      redirect_uri,
      scope: 'email profile',
      access_type: 'offline',
      include_granted_scopes: 'true',
      response_type: 'code',
      state: 's',
      ...parameters,
    }).toString()
    return url
  }
  const buildGithubUrl = () => {
    const url = new URL(provider.settings.GITHUB_AUTHORIZATION_URL)
    url.search = new URLSearchParams({
      client_id: provider.settings.GITHUB_CLIENT_ID,
      state: 's',
      scope: 'user:email',
      allow_signup: 'false',
    }).toString()
    return url
  }
  const exchange = async (
    company: 'GITHUB' | 'GOOGLE',
    code: string | null,
    parameters: Record<string, string> = {},
  ) => {
    const response = await fetch(provider.settings[`${company}_TOKEN_URL`], {
      method: 'POST',
      body: new URLSearchParams({
        client_id: provider.settings[`${company}_CLIENT_ID`],
        client_secret: provider.settings[`${company}_CLIENT_SECRET`],
        code: code ?? '',
        redirect_uri: `${consoleUrl}/oauth-callback/${company.toLowerCase()}`,
        ...(company === 'GOOGLE' ? { grant_type: 'authorization_code' } : {}),
        ...parameters,
      }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }
  const read = async (url: string, token: string | undefined) => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
    return { status: response.status, body: (await response.json()) as unknown }
  }

  it('issues Google codes that work once and return the profile', async () => {
    const parameters = await authorize(buildGoogleUrl(), identity!.id)
    expect(parameters.get('state')).toBe('s')
    const { body } = await exchange('GOOGLE', parameters.get('code'))
    expect(await read(provider.settings.GOOGLE_USERINFO_URL, body.access_token)).toMatchObject({
      status: 200,
      body: { id: String(identity!.id), email: identity!.email, verified_email: true, name: identity!.name },
    })
    expect((await read(`${provider.settings.GITHUB_API_URL}/user`, body.access_token)).status).toBe(401)
    expect(await exchange('GOOGLE', parameters.get('code'))).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
  })

  it('issues GitHub codes, and reports errors as GitHub does', async () => {
    const parameters = await authorize(buildGithubUrl(), unverifiedIdentity!.id)
    const { body } = await exchange('GITHUB', parameters.get('code'))
    expect((await read(`${provider.settings.GITHUB_API_URL}/user`, body.access_token)).body).toMatchObject({
      id: unverifiedIdentity!.id,
      login: unverifiedIdentity!.login,
    })
    expect((await read(`${provider.settings.GITHUB_API_URL}/user/emails`, body.access_token)).body).toContainEqual(
      expect.objectContaining({ email: unverifiedIdentity!.email, primary: true, verified: false }),
    )
    expect(await exchange('GITHUB', parameters.get('code'))).toMatchObject({
      status: 200,
      body: { error: 'bad_verification_code' },
    })
    expect((await exchange('GITHUB', 'x', { client_secret: 'wrong' })).body.error).toBe('incorrect_client_credentials')
  })

  it('requires the verifier of a PKCE challenge', async () => {
    const verifier = randomBytes(32).toString('base64url')
    const url = buildGoogleUrl({
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const exchangeCodeWith = async (parameters: Record<string, string>) =>
      (await exchange('GOOGLE', (await authorize(url, identity!.id)).get('code'), parameters)).status
    expect(await exchangeCodeWith({})).toBe(400)
    expect(await exchangeCodeWith({ code_verifier: verifier.replace(/^./, '-') })).toBe(400)
    expect(await exchangeCodeWith({ code_verifier: verifier })).toBe(200)
  })

  it('returns to the console with an error if the user cancels', async () => {
    expect((await authorize(buildGoogleUrl())).get('error')).toBe('access_denied')
  })

  it('refuses to return to other pages', async () => {
    await expect(
      authorize(buildGoogleUrl({ redirect_uri: 'https://evil.example.com/' }), identity!.id),
    ).rejects.toThrow(/400/)
  })
})
