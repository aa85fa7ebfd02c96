import { createApiClient, findDefaultProviderSid, type ApiClient } from '../../scripts/launch/api'
import { startOAuthProvider, type OAuthProvider } from '../../scripts/launch/oauth-provider'
import { startServer, type ServerSettings, type TestServer } from '../../scripts/launch/server'
import { startMailbox, type Mailbox } from '../../scripts/launch/mailbox'

export const rootDomain = 'voice.example.com'
export const accountPassword = 'Another-horse-2'

/** A registered account with its user. */
export interface RegisteredAccount {
  account_sid: string
  user_sid: string
  email: string
  password: string
  /** The user's token. */
  token: string
}

/** A server with the hosted edition, and what it needs: a mailbox, and a stand-in for Google and GitHub. */
export interface HostedServer extends TestServer {
  api: ApiClient
  mailbox: Mailbox
  oauthProvider: OAuthProvider
  /** The code in the mail with this number to an address. */
  readCode(email: string, count?: number): Promise<string>
  /** Registers an account through the API, and confirms its address. With a subdomain, the registration is complete. */
  register(email: string, subdomain?: string): Promise<RegisteredAccount>
}

const send = async (url: string, method: string, body?: object, token?: string) => {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
  return text === '' ? {} : (JSON.parse(text) as Record<string, string>)
}

/**
 * Starts a server with the hosted edition. Its service provider has a root domain, so that accounts can choose SIP
 * realms.
 * @param settings further environment variables, such as those of a double of Stripe
 */
export const startHostedServer = async (settings: ServerSettings = {}): Promise<HostedServer> => {
  const mailbox = await startMailbox()
  let oauthProvider: OAuthProvider | undefined
  const server = await startServer(async (url) => {
    oauthProvider = await startOAuthProvider({ consoleUrl: url })
    return {
      ENABLE_HOSTED_SYSTEM: 'true',
      ENABLE_FORGOT_PASSWORD: 'true',
      PUBLIC_URL: url,
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'Trunkline <no-reply@example.com>',
      TERMS_URL: 'https://voice.example.com/terms',
      PRIVACY_URL: 'https://voice.example.com/privacy',
      ...oauthProvider.settings,
      ...(typeof settings === 'function' ? await settings(url) : settings),
    }
  })
  const dispose = async () => {
    await server.dispose()
    await oauthProvider?.stop()
    await mailbox.close()
  }
  const api = createApiClient(server.url, server.apiKey)
  const service_provider_sid = await findDefaultProviderSid(api)
  await api.put(`/ServiceProviders/${service_provider_sid}`, { root_domain: rootDomain })

  const readCode = async (email: string, count = 1) => {
    const { mail } = await mailbox.waitForMail(email, count)
    const code = /^\d{6}$/m.exec(mail.text ?? '')?.[0]
    if (!code) throw new Error(`No code in: ${mail.text}`)
    return code
  }
  const register = async (email: string, subdomain?: string): Promise<RegisteredAccount> => {
    const base = `${server.url}/v1`
    const { jwt, user_sid, account_sid } = await send(`${base}/register`, 'POST', {
      provider: 'local',
      service_provider_sid,
      email,
      password: accountPassword,
      email_activation_code: '111111',
    })
    await send(`${base}/ActivationCode/${await readCode(email)}`, 'PUT', { user_sid, type: 'email' }, jwt)
    if (subdomain)
      await send(`${base}/Accounts/${account_sid}/SipRealms/${subdomain}.${rootDomain}`, 'POST', undefined, jwt)
    return { account_sid: account_sid!, user_sid: user_sid!, email, password: accountPassword, token: jwt! }
  }
  return { ...server, api, mailbox, oauthProvider: oauthProvider!, readCode, register, dispose }
}
