import { apiOf, request, type Api } from '../scripts/launch/api'
import { fillProvider, type Filled } from '../scripts/launch/sample-provider'
import { alertsOf } from './alerts'
import { callsOf, type Call, type Line, type Outage } from './calls'
import { chanceOf } from './seeded-random'
import { alertLine, callLine } from './line-protocol'
import { speak } from './recording'
import { messagesOf, pass } from './sip'
import { traceOf, turnsOf } from './trace'

/** The endpoints of a running server. */
export interface Doors {
  /** Without a trailing slash. */
  url: string
  /** The port for HEP. */
  hep: number
}

const dayLength = 86_400_000
const days = 30
/** Calls per working day. */
const busiest = 260
/** This many of the newest calls have a trace and a capture, and this many of the newest answered ones a recording. */
const followed = 400
const recorded = 6
/** Lines and spans per request. */
const portion = 1000

type Row = Record<string, string | null>

const portions = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

interface Application {
  application_sid: string
  call_hook: { url: string } | null
  call_status_hook: { url: string } | null
}

const hooksOf = (application: Application | undefined) => ({
  call_hook: application?.call_hook?.url ?? null,
  call_status_hook: application?.call_status_hook?.url ?? null,
})

interface Account {
  account_sid: string
  is_active: number
}

/** Returns a call source for each phone number of the provider's active accounts. Inactive accounts get no calls. */
const linesOf = async (api: Api, { service_provider_sid }: Filled): Promise<Line[]> => {
  const query = `service_provider_sid=${service_provider_sid}&page=1&page_size=1000`
  const { data: numbers } = await api.get<{ data: Row[] }>(`/PhoneNumbers?${query}`)
  const accounts = await api.get<Account[]>(`/ServiceProviders/${service_provider_sid}/Accounts`)
  const active = new Set(accounts.filter(({ is_active }) => is_active === 1).map(({ account_sid }) => account_sid))
  const carriers = await api.get<Row[]>(`/ServiceProviders/${service_provider_sid}/VoipCarriers`)
  const trunks = new Map<string, { trunk: string; gateway: string }>()
  for (const { voip_carrier_sid, name } of carriers) {
    const gateways = await api.get<Row[]>(`/SipGateways?voip_carrier_sid=${voip_carrier_sid}`)
    const gateway = gateways.find(({ ipv4 }) => /^[\d.]+$/.test(ipv4 ?? ''))?.ipv4
    if (voip_carrier_sid && name && gateway) trunks.set(voip_carrier_sid, { trunk: name, gateway })
  }
  const applications = new Map(
    (await api.get<Application[]>('/Applications')).map((application) => [application.application_sid, application]),
  )
  return numbers.flatMap(({ number, account_sid, application_sid = null, voip_carrier_sid }) => {
    const trunk = trunks.get(voip_carrier_sid ?? '')
    if (!number || !account_sid || !active.has(account_sid) || !trunk) return []
    return [{ number, account_sid, application_sid, ...hooksOf(applications.get(application_sid ?? '')), ...trunk }]
  })
}

/** Sends data to an ingest endpoint; throws if it is refused. */
const send = async (address: string, key: string, body: string, type: string) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type }
  const answer = await fetch(address, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`)
}

/** Signs in for the first time and completes the forced password change. Returns a token. */
const signIn = async (url: string, first: string, password: string): Promise<string> => {
  const login = async (secret: string) => {
    const { body } = await request<{ token: string; user_sid: string }>(url, '', 'POST', '/login', {
      username: 'admin',
      password: secret,
    })
    return body
  }
  const { token, user_sid } = await login(first)
  await apiOf(url, token).put(`/Users/${user_sid}`, { old_password: first, new_password: password })
  return (await login(password)).token
}

/** Replaces the URLs of the records that a new platform contains with those of the demonstration. */
const replaceShippedAddresses = async (api: Api) => {
  const users = await api.get<Row[]>('/Users')
  const admin = users.find(({ name }) => name === 'admin')
  await api.put(`/Users/${admin?.user_sid}`, { email: 'admin@mv.example' })
  const hook = (path: string) => ({ url: `https://calls.zinnia.example/${path}`, method: 'POST' })
  const named: [shipped: string, name: string, path: string][] = [
    ['hello world', 'Zinnia orders', 'orders'],
    ['dial time', 'Zinnia after hours', 'after-hours'],
  ]
  const applications = await api.get<Row[]>('/Applications')
  for (const [shipped, name, path] of named) {
    const existing = applications.find((application) => application.name === shipped)
    const hooks = { call_hook: hook(path), call_status_hook: hook('status') }
    if (existing) await api.put(`/Applications/${existing.application_sid}`, { name, ...hooks })
  }
}

/** Creates an API key for one task, and deletes it afterwards. */
const withKey = async (api: Api, service_provider_sid: string, run: (key: string) => Promise<void>) => {
  const { sid, token } = await api.post<{ sid: string; token: string }>('/ApiKeys', { service_provider_sid })
  try {
    await run(token)
  } finally {
    await api.remove(`/ApiKeys/${sid}`)
  }
}

const worthRecording = ({ direction, duration }: Call) => direction === 'inbound' && duration >= 25 && duration <= 90

/**
 * Fills an empty platform with a provider, a month of calls and details of the newest ones, through the regular API and
 * ingest endpoints. `say` reports progress.
 */
export const fill = async ({ url, hep }: Doors, first: string, password: string, say: (text: string) => void) => {
  const chance = chanceOf(20_261)
  const api = apiOf(url, await signIn(url, first, password))
  say('Accounts, carriers, numbers…')
  await replaceShippedAddresses(api)
  const filled = await fillProvider(api)
  const { service_provider_sid } = filled
  const now = Date.now()
  const trouble = new Date(now - 3 * dayLength).setHours(14, 0, 0, 0)
  const outages: Outage[] = [{ trunk: 'Bluewater SIP', from: trouble, to: trouble + 5_400_000 }]
  const calls = callsOf(chance, { lines: await linesOf(api, filled), now, days, busiest, outages })
  const newest = calls.slice(-followed)
  const heard = newest.filter(worthRecording).slice(-recorded)

  await withKey(api, service_provider_sid, async (key) => {
    say(`${calls.length} calls of ${days} days…`)
    const addresses = new Map<Call, string>()
    const turns = new Map(
      newest.filter(({ duration }) => duration > 0).map((call) => [call, turnsOf(chance, call.duration)]),
    )
    for (const call of heard) addresses.set(call, await speak(url, key, call, turns.get(call) ?? []))
    const lines = calls.map((call) => {
      const recording_url = addresses.get(call) ?? null
      return callLine(call, service_provider_sid, { trace_id: turns.has(call) ? call.trace_id : null, recording_url })
    })
    for (const some of portions(lines, portion))
      await send(`${url}/write?db=cdrs&precision=ms`, key, some.join('\n'), 'text/plain')
    say('Alerts, traces, captures…')
    const alerts = alertsOf(chance, calls, outages).map((alert) => alertLine(alert, service_provider_sid))
    for (const some of portions(alerts, portion))
      await send(`${url}/write?db=alerts&precision=ms`, key, some.join('\n'), 'text/plain')
    for (const some of portions([...turns], 40)) {
      const resourceSpans = some.map(([call, said]) => traceOf(chance, call, said, addresses.has(call)))
      await send(`${url}/v1/traces`, key, JSON.stringify({ resourceSpans }), 'application/json')
    }
  })
  await pass(
    hep,
    newest.flatMap((call) => messagesOf(chance, call)),
  )
}
