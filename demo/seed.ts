import { createApiClient, request, type ApiClient } from '../scripts/launch/api'
import { addSampleProvider, type SampleProvider } from '../scripts/launch/sample-provider'
import { generateAlerts } from './alerts'
import { generateCalls, type Call, type CallSource, type Outage } from './calls'
import { createSeededRandom } from './seeded-random'
import { formatAlert, formatCall } from './line-protocol'
import { streamRecording } from './recording'
import { generateSipMessages, sendCaptures } from './sip'
import { generateTrace, generateTurns } from './trace'

/** The endpoints of a running server. */
export interface ServerEndpoints {
  /** Without a trailing slash. */
  url: string
  /** The port for HEP. */
  hepPort: number
}

const dayMs = 86_400_000
const days = 30
/** Calls per working day. */
const callsPerWorkday = 260
/** This many of the newest calls have a trace and a capture, and this many of the newest answered ones a recording. */
const tracedCallCount = 400
const recordedCallCount = 6
/** Lines and spans per request. */
const linesPerRequest = 1000

type Row = Record<string, string | null>

const splitIntoBatches = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

interface Application {
  application_sid: string
  call_hook: { url: string } | null
  call_status_hook: { url: string } | null
}

const getHookUrls = (application: Application | undefined) => ({
  call_hook: application?.call_hook?.url ?? null,
  call_status_hook: application?.call_status_hook?.url ?? null,
})

interface Account {
  account_sid: string
  is_active: number
}

/** Returns a call source for each phone number of the provider's active accounts. Inactive accounts get no calls. */
const loadCallSources = async (api: ApiClient, { service_provider_sid }: SampleProvider): Promise<CallSource[]> => {
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
    return [{ number, account_sid, application_sid, ...getHookUrls(applications.get(application_sid ?? '')), ...trunk }]
  })
}

/** Sends data to an ingest endpoint; throws if it is refused. */
const sendToIngest = async (address: string, key: string, body: string, type: string) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type }
  const response = await fetch(address, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`${address} answered ${response.status}: ${await response.text()}`)
}

/** Signs in for the first time and completes the forced password change. Returns a token. */
export const signIn = async (url: string, initialPassword: string, password: string): Promise<string> => {
  const login = async (secret: string) => {
    const { body } = await request<{ token: string; user_sid: string }>(url, '', 'POST', '/login', {
      username: 'admin',
      password: secret,
    })
    return body
  }
  const { token, user_sid } = await login(initialPassword)
  await createApiClient(url, token).put(`/Users/${user_sid}`, { old_password: initialPassword, new_password: password })
  return (await login(password)).token
}

/** Replaces the URLs of the records that a new installation contains with those of the demonstration. */
export const replaceInitialRecords = async (api: ApiClient) => {
  const users = await api.get<Row[]>('/Users')
  const admin = users.find(({ name }) => name === 'admin')
  await api.put(`/Users/${admin?.user_sid}`, { email: 'admin@mv.example' })
  const hook = (path: string) => ({ url: `https://calls.zinnia.example/${path}`, method: 'POST' })
  const replacements: [shipped: string, name: string, path: string][] = [
    ['hello world', 'Zinnia orders', 'orders'],
    ['dial time', 'Zinnia after hours', 'after-hours'],
  ]
  const applications = await api.get<Row[]>('/Applications')
  for (const [initialName, name, path] of replacements) {
    const existing = applications.find((application) => application.name === initialName)
    const hooks = { call_hook: hook(path), call_status_hook: hook('status') }
    if (existing) await api.put(`/Applications/${existing.application_sid}`, { name, ...hooks })
  }
}

/** Creates an API key for one task, and deletes it afterwards. */
const withApiKey = async (api: ApiClient, service_provider_sid: string, run: (key: string) => Promise<void>) => {
  const { sid, token } = await api.post<{ sid: string; token: string }>('/ApiKeys', { service_provider_sid })
  try {
    await run(token)
  } finally {
    await api.remove(`/ApiKeys/${sid}`)
  }
}

const isRecordable = ({ direction, durationSeconds }: Call) =>
  direction === 'inbound' && durationSeconds >= 25 && durationSeconds <= 90

/**
 * Fills a new installation with a provider, a month of calls and details of the newest calls, through the regular API
 * and ingest endpoints.
 */
export const addSampleData = async (
  { url, hepPort }: ServerEndpoints,
  initialPassword: string,
  password: string,
  reportProgress: (text: string) => void,
) => {
  const random = createSeededRandom(20_261)
  const api = createApiClient(url, await signIn(url, initialPassword, password))
  reportProgress('Creating accounts, carriers and numbers…')
  await replaceInitialRecords(api)
  const provider = await addSampleProvider(api)
  const { service_provider_sid } = provider
  const now = Date.now()
  const outageStart = new Date(now - 3 * dayMs).setHours(14, 0, 0, 0)
  const outages: Outage[] = [{ trunk: 'Bluewater SIP', fromMs: outageStart, toMs: outageStart + 5_400_000 }]
  const calls = generateCalls(random, {
    sources: await loadCallSources(api, provider),
    now,
    days,
    callsPerWorkday,
    outages,
  })
  const newest = calls.slice(-tracedCallCount)
  const recordedCalls = newest.filter(isRecordable).slice(-recordedCallCount)

  await withApiKey(api, service_provider_sid, async (key) => {
    reportProgress(`Creating ${calls.length} calls of ${days} days…`)
    const recordingPaths = new Map<Call, string>()
    const turns = new Map(
      newest
        .filter(({ durationSeconds }) => durationSeconds > 0)
        .map((call) => [call, generateTurns(random, call.durationSeconds)]),
    )
    for (const call of recordedCalls)
      recordingPaths.set(call, await streamRecording(url, key, call, turns.get(call) ?? []))
    const lines = calls.map((call) => {
      const recording_url = recordingPaths.get(call) ?? null
      return formatCall(call, service_provider_sid, { trace_id: turns.has(call) ? call.trace_id : null, recording_url })
    })
    for (const batch of splitIntoBatches(lines, linesPerRequest))
      await sendToIngest(`${url}/write?db=cdrs&precision=ms`, key, batch.join('\n'), 'text/plain')
    reportProgress('Creating alerts, traces and captures…')
    const alerts = generateAlerts(random, calls, outages).map((alert) => formatAlert(alert, service_provider_sid))
    for (const batch of splitIntoBatches(alerts, linesPerRequest))
      await sendToIngest(`${url}/write?db=alerts&precision=ms`, key, batch.join('\n'), 'text/plain')
    for (const batch of splitIntoBatches([...turns], 40)) {
      const resourceSpans = batch.map(([call, callTurns]) =>
        generateTrace(random, call, callTurns, recordingPaths.has(call)),
      )
      await sendToIngest(`${url}/v1/traces`, key, JSON.stringify({ resourceSpans }), 'application/json')
    }
  })
  await sendCaptures(
    hepPort,
    newest.flatMap((call) => generateSipMessages(random, call)),
  )
}
