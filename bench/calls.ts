import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { once } from 'node:events'
import { sqlCallHistory } from '../server/src/adapters/call-history/sql/store'
import { openDatabase } from '../server/src/db/database'
import { DEFAULT_SERVICE_PROVIDER } from '../server/src/db/seed-data'
import type { Point } from '../server/src/ports/call-history'
import { hepOf, talk } from '../server/test/external/hep-agent'
import { sendRequest, measure } from './http'
import type { IngestMeasurement, PageMeasurement } from './report'

const providerPath = `/v1/ServiceProviders/${DEFAULT_SERVICE_PROVIDER}`
/** Calls are spread over this many days and trunks, and over all accounts. */
const days = 90
const trunks = 20
const dayMs = 86_400_000
const applications = Array.from({ length: 20 }, (_, at) => `00000000-0000-4000-8000-0000000000${10 + at}`)
/** Calls per transaction. */
const batchSize = 5000

const twoDigits = (value: number) => String(value).padStart(2, '0')

const callAt = (accounts: readonly string[], index: number, time: number): Point => ({
  tags: {
    service_provider_sid: DEFAULT_SERVICE_PROVIDER,
    account_sid: accounts[index % accounts.length]!,
    direction: index % 3 ? 'inbound' : 'outbound',
    answered: String(index % 5 !== 0),
    trunk: `Trunk ${twoDigits(index % trunks)}`,
    host: '203.0.113.100',
  },
  fields: {
    call_sid: randomUUID(),
    sip_callid: `${randomUUID()}@198.51.100.24`,
    from: `1617555${String((index * 7919) % 10_000).padStart(4, '0')}`,
    to: `1857555${String((index * 104_729) % 10_000).padStart(4, '0')}`,
    duration: index % 600,
    sip_status: index % 5 ? 200 : index % 25 ? 486 : 404,
    ...(index % 5 ? { answered_at: time + 2000 + (index % 5000) } : {}),
    termination_reason: 'caller hungup',
    application_sid: applications[index % applications.length]!,
    trace_id: randomUUID().replaceAll('-', ''),
  },
  time: BigInt(time) * 1_000_000n,
})

/**
 * Writes this many calls of the last ninety days to a database, without the API, because the benchmark measures
 * searching them.
 */
export const fillCalls = async (url: string, count: number): Promise<void> => {
  const database = openDatabase(url)
  const history = sqlCallHistory({ database }, { calls: 0, alerts: 0 })
  // runs the backfill as a server does at start; on an empty table it only marks the index as complete
  await history.backfill(new AbortController().signal)
  const first = Date.now() - days * dayMs
  const step = (days * dayMs) / count
  const rows = await database.db.selectFrom('accounts').select('account_sid').execute()
  const accounts = rows.map(({ account_sid }) => account_sid)
  try {
    for (let from = 0; from < count; from += batchSize)
      await history.write(
        'cdrs',
        Array.from({ length: Math.min(batchSize, count - from) }, (_, at) =>
          callAt(accounts, from + at, Math.floor(first + (from + at) * step)),
        ),
      )
  } finally {
    await database.close()
  }
}

const accountsOf = async (base: string, token: string): Promise<string[]> =>
  (JSON.parse(await sendRequest(base, { path: `${providerPath}/Accounts`, token })) as { account_sid: string }[]).map(
    ({ account_sid }) => account_sid,
  )

/** Measures pages of calls for each filter, including totals. `count`: the number of calls. */
export const measureCallPages = async (
  base: string,
  token: string,
  count: number,
  milliseconds: number,
): Promise<PageMeasurement[]> => {
  const [account] = await accountsOf(base, token)
  const pageRequest = (query: string) => () =>
    sendRequest(base, { path: `${providerPath}/RecentCalls?count=25&${query}`, token })
  const overview = (query: string) => () =>
    sendRequest(base, { path: `${providerPath}/RecentCallOverview?${query}`, token })
  const newest = JSON.parse(await pageRequest('page=1&days=90')()) as { data: { sip_callid: string }[] }
  const callId = encodeURIComponent(newest.data[0]!.sip_callid)
  const pages: Record<string, { target: number; run: () => Promise<unknown> }> = {
    'the first page': { target: 50, run: pageRequest('page=1&days=90') },
    'a page from the middle': { target: 50, run: pageRequest(`page=${Math.floor(count / 50)}&days=90`) },
    'the last page': { target: 50, run: pageRequest(`page=${Math.floor(count / 25)}&days=90`) },
    today: { target: 50, run: pageRequest(`page=1&start=${new Date(Date.now() - dayMs / 2).toISOString()}`) },
    'inbound, not answered': { target: 50, run: pageRequest('page=1&days=90&direction=inbound&answered=false') },
    'of one trunk': { target: 50, run: pageRequest('page=1&days=90&trunk=Trunk%2007') },
    'of one trunk, answered, from the middle': {
      target: 50,
      run: pageRequest(`page=${Math.floor(count / trunks / 50)}&days=90&trunk=Trunk%2007&answered=true`),
    },
    'of one account': {
      target: 50,
      run: () => sendRequest(base, { path: `/v1/Accounts/${account}/RecentCalls?page=1&count=25&days=90`, token }),
    },
    'of one SIP status': { target: 50, run: pageRequest('page=1&days=90&sip_status=404') },
    'an overview of ninety days': { target: 300, run: overview('days=90') },
    'an overview of ninety days by trunk': { target: 300, run: overview('days=90&by=trunk') },
    'an overview of ninety days by account': { target: 300, run: overview('days=90&by=account') },
    'an overview of one trunk by account': { target: 300, run: overview('days=90&trunk=Trunk%2007&by=account') },
    'an overview of one application by trunk': {
      target: 300,
      run: overview(`days=90&application_sid=${applications[7]}&by=trunk`),
    },
    'an overview of one trunk': { target: 300, run: overview('days=90&trunk=Trunk%2007') },
    'a text contained in a number': { target: 300, run: pageRequest('page=1&days=90&filter=5551234') },
    'a text contained in every number': { target: 300, run: pageRequest('page=1&days=90&filter=555') },
    'a text contained in the name of a trunk': { target: 300, run: pageRequest('page=1&days=90&filter=unk%2007') },
    'a text contained in every termination reason': { target: 300, run: pageRequest('page=1&days=90&filter=hungup') },
    'a text that nothing contains': { target: 300, run: pageRequest('page=1&days=90&filter=nothing') },
    'one SIP Call-ID': { target: 300, run: pageRequest(`page=1&days=90&filter=${callId}`) },
    'of one application': { target: 300, run: pageRequest(`page=1&days=90&application_sid=${applications[7]}`) },
    'the oldest first': { target: 50, run: pageRequest('page=1&days=90&order=asc') },
    'a text contained in a number of one trunk, not answered': {
      target: 300,
      run: pageRequest('page=1&days=90&filter=1234&trunk=Trunk%2007&answered=false'),
    },
  }
  const measured = await measure(
    Object.fromEntries(Object.entries(pages).map(([name, { run }]) => [name, run])),
    milliseconds,
    [1],
  )
  return measured.map(({ name, p50, p99 }) => ({ name, p50, p99, target: pages[name]!.target }))
}

/** Formats a call in line protocol. */
const lineOf = ({ tags, fields, time }: Point) => {
  const formatPairs = (values: Record<string, unknown>, text: (value: unknown) => string) =>
    Object.entries(values).map(([key, value]) => `${key}=${text(value)}`)
  const head = ['cdrs', ...formatPairs(tags, (value) => String(value).replaceAll(' ', '\\ '))].join(',')
  return `${head} ${formatPairs(fields, (value) => JSON.stringify(value)).join(',')} ${time / 1_000_000n}`
}

const span = (traceId: string) => ({
  traceId,
  spanId: randomUUID().replaceAll('-', '').slice(0, 16),
  name: 'verb:gather{inputs=speech}',
  kind: 1,
  startTimeUnixNano: '1795300000000000000',
  endTimeUnixNano: '1795300001000000000',
  attributes: [{ key: 'stt.resolve', value: { stringValue: 'speech' } }],
})

/** Runs this many tasks with limited concurrency; returns the total seconds. */
const secondsFor = async (
  count: number,
  workers: number,
  run: (index: number) => Promise<unknown>,
): Promise<number> => {
  let next = 0
  const since = performance.now()
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (next < count) await run(next++)
    }),
  )
  return (performance.now() - since) / 1000
}

/** Creates an API key that voice servers may write with. */
export const ingestKey = async (base: string, token: string): Promise<string> => {
  const body = { service_provider_sid: DEFAULT_SERVICE_PROVIDER }
  const response = await sendRequest(base, { method: 'POST', path: '/v1/ApiKeys', token, body })
  return (JSON.parse(response) as { token: string }).token
}

/**
 * Measures the ingest endpoints: until a request is acknowledged, or until a capture can be read. `hep`: the port for
 * captures.
 */
export const measureIngest = async (base: string, token: string, hep: number): Promise<IngestMeasurement[]> => {
  const key = await ingestKey(base, token)
  const post = async (path: string, content: string, type: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type }
    const answer = await fetch(base + path, { method: 'POST', headers, body: content })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  }
  const accounts = await accountsOf(base, token)
  const line = (index: number, time: number) => lineOf(callAt(accounts, index, time))
  const now = Date.now()
  const points = 6000
  const singleSeconds = await secondsFor(points, 64, (at) =>
    post('/write?db=cdrs&precision=ms', line(at, now - at), 'text/plain'),
  )
  const batchSeconds = await secondsFor(points / 100, 4, (part) =>
    post(
      '/write?db=cdrs&precision=ms',
      Array.from({ length: 100 }, (_, at) => line(at, now - 1_000_000 - part * 100 - at)).join('\n'),
      'text/plain',
    ),
  )
  const spans = 15_000
  const traceSeconds = await secondsFor(spans / 50, 4, () => {
    const traceId = randomUUID().replaceAll('-', '')
    const scopeSpans = [{ scope: { name: 'voice' }, spans: Array.from({ length: 50 }, () => span(traceId)) }]
    return post('/v1/traces', JSON.stringify({ resourceSpans: [{ scopeSpans }] }), 'application/json')
  })
  const packets = 16_000
  // a capture is found by its call
  const call = callAt(accounts, 0, now)
  await post('/write?db=cdrs&precision=ms', lineOf({ ...call, fields: { sip_callid: lastCallId } }), 'text/plain')
  return [
    { name: 'call records, one a request', perSecond: points / singleSeconds },
    { name: 'call records, a hundred a request', perSecond: points / batchSeconds, target: 2000 },
    { name: 'spans, fifty a request', perSecond: spans / traceSeconds, target: 5000 },
    {
      name: 'captured SIP messages',
      perSecond: packets / (await captureSeconds(base, token, hep, packets)),
      target: 5000,
    },
  ]
}

const lastCallId = 'last@bench'

/** Sends dialogues of eight messages each over one connection; returns the seconds until the last one can be read. */
const captureSeconds = async (base: string, token: string, hep: number, count: number): Promise<number> => {
  const start = Date.now() * 1000
  const dialogues = Array.from({ length: count / 8 }, (_, at) =>
    talk({ callId: at === count / 8 - 1 ? lastCallId : `${randomUUID()}@bench`, start }).map(hepOf),
  )
  const bytes = Buffer.concat(dialogues.flat())
  const since = performance.now()
  const socket = connect(hep, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(bytes)
  for (let attempt = 0; ; attempt += 1) {
    const capture = await sendRequest(base, { path: `${providerPath}/RecentCalls/${lastCallId}`, token }).catch(
      () => '{}',
    )
    if ((JSON.parse(capture) as { total?: number }).total === 8) break
    if (attempt === 3000) throw new Error(`the last of ${count} captured messages did not arrive`)
    await new Promise((done) => setTimeout(done, 10))
  }
  socket.destroy()
  return (performance.now() - since) / 1000
}
