import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { once } from 'node:events'
import { createSqlCallHistory } from '../server/src/adapters/call-history/sql/store'
import { openDatabase } from '../server/src/db/database'
import { defaultServiceProviderSid } from '../server/src/db/seed-data'
import type { Point } from '../server/src/ports/call-history'
import { hepPacketOf, buildDialog } from '../server/test/external/hep-agent'
import { createAlertPages } from './alert-pages'
import { measureRequests, providerPath, sendRequest } from './http'
import type { IngestMeasurement, PageMeasurement } from './report'

/** The calls are spread over this many days and trunks, and over all accounts. */
export const dayCount = 90
export const trunkCount = 20
export const dayMs = 86_400_000
export const applicationSids = Array.from(
  { length: 20 },
  (_, index) => `00000000-0000-4000-8000-0000000000${10 + index}`,
)
/** Calls per transaction. */
const batchSize = 5000

const twoDigits = (value: number) => String(value).padStart(2, '0')

export const buildCall = (accountSids: readonly string[], index: number, timeMs: number): Point => ({
  tags: {
    service_provider_sid: defaultServiceProviderSid,
    account_sid: accountSids[index % accountSids.length]!,
    direction: index % 3 ? 'inbound' : 'outbound',
    answered: String(index % 5 !== 0),
    trunk: `Trunk ${twoDigits(index % trunkCount)}`,
    host: '203.0.113.100',
  },
  fields: {
    call_sid: randomUUID(),
    sip_callid: `${randomUUID()}@198.51.100.24`,
    from: `1617555${String((index * 7919) % 10_000).padStart(4, '0')}`,
    to: `1857555${String((index * 104_729) % 10_000).padStart(4, '0')}`,
    duration: index % 600,
    sip_status: index % 5 ? 200 : index % 25 ? 486 : 404,
    ...(index % 5 ? { answered_at: timeMs + 2000 + (index % 5000) } : {}),
    termination_reason: 'caller hungup',
    application_sid: applicationSids[index % applicationSids.length]!,
    trace_id: randomUUID().replaceAll('-', ''),
  },
  timeNs: BigInt(timeMs) * 1_000_000n,
})

/** An alert about the same account and time. Half of the alerts have one of fifty messages, the others are all different. */
const buildAlert = (accountSids: readonly string[], index: number, timeMs: number): Point => ({
  tags: {
    service_provider_sid: defaultServiceProviderSid,
    account_sid: accountSids[index % accountSids.length]!,
    alert_type: index % 4 ? 'webhook-failure' : 'no-carrier',
  },
  fields: {
    message: `https://customer${index % 2 ? index % 100 : index}.example.com/call-status returned 503`,
    detail: 'connect ETIMEDOUT 203.0.113.9:443',
    target_sid: randomUUID(),
  },
  timeNs: BigInt(timeMs) * 1_000_000n,
})

/**
 * Writes this many calls and alerts of the last ninety days to a database, without the API, because the benchmark measures
 * searching them.
 */
export const addCalls = async (url: string, count: number): Promise<void> => {
  const database = openDatabase(url)
  const history = createSqlCallHistory({ database }, { calls: 0, alerts: 0 })
  // runs the backfill as a server does at start; on an empty table it only marks the index as complete
  await history.backfill(new AbortController().signal)
  const firstTimeMs = Date.now() - dayCount * dayMs
  const stepMs = (dayCount * dayMs) / count
  const rows = await database.db.selectFrom('accounts').select('account_sid').execute()
  const accountSids = rows.map(({ account_sid }) => account_sid)
  try {
    for (let offset = 0; offset < count; offset += batchSize)
      for (const [measurement, build] of [
        ['cdrs', buildCall],
        ['alerts', buildAlert],
      ] as const)
        await history.writePoints(
          measurement,
          Array.from({ length: Math.min(batchSize, count - offset) }, (_, index) =>
            build(accountSids, offset + index, Math.floor(firstTimeMs + (offset + index) * stepMs)),
          ),
        )
  } finally {
    await database.close()
  }
}

const readAccountSids = async (base: string, token: string): Promise<string[]> =>
  (JSON.parse(await sendRequest(base, { path: `${providerPath}/Accounts`, token })) as { account_sid: string }[]).map(
    ({ account_sid }) => account_sid,
  )

/** Measures pages of calls and alerts for each filter, including totals. `count`: the number of calls, and of alerts. */
export const measureCallPages = async (
  base: string,
  token: string,
  count: number,
  durationMs: number,
): Promise<PageMeasurement[]> => {
  const [account] = await readAccountSids(base, token)
  const createPageRequest = (query: string) => () =>
    sendRequest(base, { path: `${providerPath}/RecentCalls?count=25&${query}`, token })
  const alertPages = createAlertPages({ base, token, account: account!, count })
  const createOverviewRequest = (query: string) => () =>
    sendRequest(base, { path: `${providerPath}/RecentCallOverview?${query}`, token })
  const newestPage = JSON.parse(await createPageRequest('page=1&days=90')()) as { data: { sip_callid: string }[] }
  const callId = encodeURIComponent(newestPage.data[0]!.sip_callid)
  const pagesByTargetMs: [targetMs: number, pages: Record<string, () => Promise<unknown>>][] = [
    [
      50,
      {
        'the first page': createPageRequest('page=1&days=90'),
        'a page from the middle': createPageRequest(`page=${Math.floor(count / 50)}&days=90`),
        'the last page': createPageRequest(`page=${Math.floor(count / 25)}&days=90`),
        'calls of the last twelve hours': createPageRequest(
          `page=1&start=${new Date(Date.now() - dayMs / 2).toISOString()}`,
        ),
        'inbound calls that were not answered': createPageRequest('page=1&days=90&direction=inbound&answered=false'),
        'calls of one trunk': createPageRequest('page=1&days=90&trunk=Trunk%2007'),
        'answered calls of one trunk, from the middle': createPageRequest(
          `page=${Math.floor(count / trunkCount / 50)}&days=90&trunk=Trunk%2007&answered=true`,
        ),
        'calls of one account': () =>
          sendRequest(base, { path: `/v1/Accounts/${account}/RecentCalls?page=1&count=25&days=90`, token }),
        'calls of one SIP status': createPageRequest('page=1&days=90&sip_status=404'),
        'the oldest calls first': createPageRequest('page=1&days=90&order=asc'),
        ...alertPages.listed,
      },
    ],
    [
      300,
      {
        ...alertPages.grouped,
        'an overview of ninety days': createOverviewRequest('days=90'),
        'an overview of ninety days by trunk': createOverviewRequest('days=90&by=trunk'),
        'an overview of ninety days by account': createOverviewRequest('days=90&by=account'),
        'an overview of one trunk by account': createOverviewRequest('days=90&trunk=Trunk%2007&by=account'),
        'an overview of one application by trunk': createOverviewRequest(
          `days=90&application_sid=${applicationSids[7]}&by=trunk`,
        ),
        'an overview of one trunk': createOverviewRequest('days=90&trunk=Trunk%2007'),
        'a text contained in a number': createPageRequest('page=1&days=90&filter=5551234'),
        'a text contained in every number': createPageRequest('page=1&days=90&filter=555'),
        'a text contained in the name of a trunk': createPageRequest('page=1&days=90&filter=unk%2007'),
        'a text contained in every termination reason': createPageRequest('page=1&days=90&filter=hungup'),
        'a text that nothing contains': createPageRequest('page=1&days=90&filter=nothing'),
        'one SIP Call-ID': createPageRequest(`page=1&days=90&filter=${callId}`),
        'calls of one application': createPageRequest(`page=1&days=90&application_sid=${applicationSids[7]}`),
        'calls of one phone number': createPageRequest('page=1&days=90&number=18575551234'),
        'a text contained in a number, in unanswered calls of one trunk': createPageRequest(
          'page=1&days=90&filter=1234&trunk=Trunk%2007&answered=false',
        ),
      },
    ],
    // It reads each alert, because no index has their text.
    [3000, alertPages.searched],
  ]
  const measurements: PageMeasurement[] = []
  for (const [targetMs, pages] of pagesByTargetMs)
    for (const { name, p50Ms, p99Ms } of await measureRequests(pages, durationMs, [1]))
      measurements.push({ name, p50Ms, p99Ms, targetMs })
  return measurements
}

/** Formats a call in line protocol. */
const formatLine = ({ tags, fields, timeNs }: Point) => {
  const formatPairs = (values: Record<string, unknown>, text: (value: unknown) => string) =>
    Object.entries(values).map(([key, value]) => `${key}=${text(value)}`)
  const head = ['cdrs', ...formatPairs(tags, (value) => String(value).replaceAll(' ', '\\ '))].join(',')
  return `${head} ${formatPairs(fields, (value) => JSON.stringify(value)).join(',')} ${timeNs / 1_000_000n}`
}

const createSpan = (traceId: string) => ({
  traceId,
  spanId: randomUUID().replaceAll('-', '').slice(0, 16),
  name: 'verb:gather{inputs=speech}',
  kind: 1,
  startTimeUnixNano: '1795300000000000000',
  endTimeUnixNano: '1795300001000000000',
  attributes: [{ key: 'stt.resolve', value: { stringValue: 'speech' } }],
})

/** Runs this many tasks with limited concurrency; returns the total seconds. */
const measureSeconds = async (
  count: number,
  workers: number,
  run: (index: number) => Promise<unknown>,
): Promise<number> => {
  let next = 0
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (next < count) await run(next++)
    }),
  )
  return (performance.now() - startedAt) / 1000
}

/** Creates an API key that voice servers may write with. */
export const createIngestKey = async (base: string, token: string): Promise<string> => {
  const body = { service_provider_sid: defaultServiceProviderSid }
  const response = await sendRequest(base, { method: 'POST', path: '/v1/ApiKeys', token, body })
  return (JSON.parse(response) as { token: string }).token
}

/** Sends data to an ingest endpoint; throws if it is refused. */
export const sendToIngest = async (
  base: string,
  key: string,
  path: string,
  body: string,
  contentType: string,
): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': contentType }
  const response = await fetch(base + path, { method: 'POST', headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
}

/**
 * Measures the rate of the ingest endpoints: until a request is acknowledged, or until a capture can be read. `hepPort`:
 * the port for captures.
 */
export const measureIngest = async (base: string, token: string, hepPort: number): Promise<IngestMeasurement[]> => {
  const key = await createIngestKey(base, token)
  const post = (path: string, body: string, contentType: string) => sendToIngest(base, key, path, body, contentType)
  const accountSids = await readAccountSids(base, token)
  const createLine = (index: number, timeMs: number) => formatLine(buildCall(accountSids, index, timeMs))
  const now = Date.now()
  const recordCount = 6000
  const singleSeconds = await measureSeconds(recordCount, 64, (index) =>
    post('/write?db=cdrs&precision=ms', createLine(index, now - index), 'text/plain'),
  )
  const batchSeconds = await measureSeconds(recordCount / 100, 4, (part) =>
    post(
      '/write?db=cdrs&precision=ms',
      Array.from({ length: 100 }, (_, index) => createLine(index, now - 1_000_000 - part * 100 - index)).join('\n'),
      'text/plain',
    ),
  )
  const spanCount = 15_000
  const traceSeconds = await measureSeconds(spanCount / 50, 4, () => {
    const traceId = randomUUID().replaceAll('-', '')
    const scopeSpans = [{ scope: { name: 'voice' }, spans: Array.from({ length: 50 }, () => createSpan(traceId)) }]
    return post('/v1/traces', JSON.stringify({ resourceSpans: [{ scopeSpans }] }), 'application/json')
  })
  const messageCount = 16_000
  // a capture is found by its call
  const call = buildCall(accountSids, 0, now)
  await post('/write?db=cdrs&precision=ms', formatLine({ ...call, fields: { sip_callid: lastCallId } }), 'text/plain')
  return [
    { name: 'call records, one per request', perSecond: recordCount / singleSeconds },
    { name: 'call records, a hundred per request', perSecond: recordCount / batchSeconds, targetPerSecond: 2000 },
    { name: 'spans, fifty per request', perSecond: spanCount / traceSeconds, targetPerSecond: 5000 },
    {
      name: 'captured SIP messages',
      perSecond: messageCount / (await measureCaptureSeconds(base, token, hepPort, messageCount)),
      targetPerSecond: 5000,
    },
  ]
}

const lastCallId = 'last@bench'

/** Sends SIP dialogs of eight messages each over one connection; returns the seconds until the last one can be read. */
const measureCaptureSeconds = async (
  base: string,
  token: string,
  hepPort: number,
  messageCount: number,
): Promise<number> => {
  const startUs = Date.now() * 1000
  const dialogs = Array.from({ length: messageCount / 8 }, (_, index) =>
    buildDialog({ callId: index === messageCount / 8 - 1 ? lastCallId : `${randomUUID()}@bench`, startUs }).map(
      hepPacketOf,
    ),
  )
  const bytes = Buffer.concat(dialogs.flat())
  const since = performance.now()
  const socket = connect(hepPort, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  for (let attempt = 0; ; attempt += 1) {
    const capture = await sendRequest(base, { path: `${providerPath}/RecentCalls/${lastCallId}`, token }).catch(
      () => '{}',
    )
    if ((JSON.parse(capture) as { total?: number }).total === 8) break
    if (attempt === 3000) throw new Error(`the last of ${messageCount} captured messages did not arrive`)
    await new Promise((done) => setTimeout(done, 10))
  }
  socket.destroy()
  return (performance.now() - since) / 1000
}
