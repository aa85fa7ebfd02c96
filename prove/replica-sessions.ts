import { send, sendOk } from './http'

const password = 'Proof-Pass-2026'
/** The default of LOGIN_ATTEMPTS_MAX_RETRIES. */
const maxWrongPasswords = 6

/** Checks that sessions, sign-outs, deleted keys, lock-outs and writes apply to all replicas at once. */
export const checkSharedSessions = async (urls: readonly string[], admin: string): Promise<string[]> => {
  const failures: string[] = []
  const urlOf = (index: number) => urls[index % urls.length] ?? ''
  const add = <Response = { sid: string }>(path: string, body: unknown) =>
    sendOk<Response>(urlOf(0), admin, 'POST', `/v1${path}`, body)
  const expectStatuses = async (label: string, expected: number, request: (url: string) => Promise<number>) => {
    const statuses = await Promise.all(urls.map(request))
    if (statuses.some((status) => status !== expected))
      failures.push(`${label}: the replicas answer ${statuses.join(', ')}, not ${expected}`)
  }
  const service_provider_sid = (await add('/ServiceProviders', { name: 'replica provider' })).sid
  const account_sid = (await add('/Accounts', { name: 'replica account', service_provider_sid })).sid
  for (const name of ['replica-user', 'replica-locked'])
    await add('/Users', {
      name,
      email: `${name}@example.com`,
      initial_password: password,
      is_active: true,
      force_change: false,
      service_provider_sid,
      account_sid,
    })
  const signIn = async (url: string, username: string, password: string) => {
    const { status, text } = await send(url, undefined, 'POST', '/v1/login', { username, password })
    return { status, token: status === 200 ? (JSON.parse(text) as { token: string }).token : undefined }
  }
  const readAccount = (token: string | undefined) => async (url: string) =>
    (await send(url, token, 'GET', `/v1/Accounts/${account_sid}`)).status

  await expectStatuses('a new account', 200, readAccount(admin))
  const { token } = await signIn(urlOf(0), 'replica-user', password)
  await expectStatuses('a new session', 200, readAccount(token))
  await send(urlOf(1), token, 'POST', '/v1/logout')
  await expectStatuses('a session after the sign-out', 401, readAccount(token))

  const key = await add<{ sid: string; token: string }>('/ApiKeys', { account_sid })
  await expectStatuses('a new API key', 200, readAccount(key.token))
  await sendOk(urlOf(2), admin, 'DELETE', `/v1/ApiKeys/${key.sid}`)
  await expectStatuses('a deleted API key', 401, readAccount(key.token))

  // The wrong passwords are spread over the replicas.
  for (let attempt = 0; attempt < maxWrongPasswords; attempt += 1)
    await signIn(urlOf(attempt), 'replica-locked', 'wrong')
  await expectStatuses('a locked user with the right password', 403, async (url) => {
    const { status } = await signIn(url, 'replica-locked', password)
    return status
  })
  return failures
}
