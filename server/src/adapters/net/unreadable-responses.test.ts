import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startHttpServer, sendJson } from '../../../test/doubles/http-server'
import { UnavailableError } from '../../ports/service-errors'
import { createClickHouseCallHistory } from '../call-history/clickhouse/store'
import { createInfluxCallHistory } from '../call-history/influx/store'
import { createHomerCaptures } from '../captures/homer'
import { createJaegerTraces } from '../traces/jaeger'

const signInPage = '<html>Sign in</html>'
const listOptions = { page: 1, count: 25 }
const owner = { account_sid: 'acme' }

/** The configured URL may lead to another server, for example to a proxy with a sign-in page. */
describe('an unreadable response', () => {
  /** What the server responds. With the body 'signed in', Homer's sign-in succeeds. */
  let nextResponse = { status: 200, body: '' }
  let requests: string[] = []
  let server: Awaited<ReturnType<typeof startHttpServer>>
  beforeAll(async () => {
    server = await startHttpServer((request, response) => {
      request.resume()
      requests.push(`${request.method} ${request.url?.split('?')[0]}`)
      if (nextResponse.body === 'signed in' && request.url?.endsWith('/auth'))
        return sendJson(response, 201, { token: 'a' })
      response.writeHead(nextResponse.status, { 'content-type': 'application/json' }).end(nextResponse.body)
    })
  })
  afterAll(() => server.stop())
  beforeEach(() => {
    requests = []
  })

  const buildSeriesJson = (values: unknown, columns: unknown = ['time', 'n0']) =>
    JSON.stringify({ results: [{ series: [{ columns, values }] }] })

  it.each([
    signInPage,
    '',
    'null',
    '[1]',
    '{}',
    '{"results":[]}',
    '{"results":"x"}',
    '{"results":[null]}',
    '{"results":[{"series":"x"}]}',
    buildSeriesJson([['soon', 5]]),
    buildSeriesJson([[1]], 5),
    buildSeriesJson([null]),
  ])('is not an empty call history: %s', async (body) => {
    nextResponse = { status: 200, body }
    const history = createInfluxCallHistory(server.address)
    for (const readHistory of [
      () => history.listCalls(owner, listOptions),
      () => history.sumCalls(owner, {}),
      () => history.listAlerts(owner, listOptions),
      () => history.findCall(owner, { call_sid: 'a' }),
      () => history.isCallOwner(owner, { call_sid: 'a' }),
    ]) {
      await expect(readHistory()).rejects.toThrow(UnavailableError)
      await expect(readHistory()).rejects.toThrow(
        'The call history database (InfluxDB) returned an unreadable response. Check INFLUX_URL.',
      )
    }
  })

  it('does not confirm a write', async () => {
    const history = createInfluxCallHistory(server.address)
    const write = () => history.writePoints('cdrs', [{ tags: owner, fields: { call_sid: 'a' }, timeNs: 1n }])
    for (const body of [signInPage, '', '{"results":[{}]}']) {
      nextResponse = { status: 200, body }
      await expect(write()).rejects.toThrow(UnavailableError)
    }
    nextResponse = { status: 204, body: '' }
    await write()
  })

  it.each([signInPage, '', 'null', '[1]', '{}', '{"data":"x"}', '{"data":[5]}'])(
    'is not an empty call history in ClickHouse, and confirms no write: %s',
    async (body) => {
      nextResponse = { status: 200, body }
      const history = createClickHouseCallHistory(server.address, { retention: { calls: 0, alerts: 0 } })
      for (const sendRequest of [
        () => history.listCalls(owner, listOptions),
        () => history.listAlertGroups(owner, listOptions),
        () => history.isCallOwner(owner, { call_sid: 'a' }),
        () => history.writePoints('cdrs', [{ tags: owner, fields: { call_sid: 'a' }, timeNs: 1n }]),
      ])
        await expect(sendRequest()).rejects.toThrow(
          new UnavailableError(
            'The call history database (ClickHouse) returned an unreadable response. Check CLICKHOUSE_URL.',
          ),
        )
    },
  )

  it.each([
    [
      403,
      'Code: 516. DB::Exception: default: Authentication failed. (AUTHENTICATION_FAILED)',
      'The call history database (ClickHouse) rejects the credentials. Check CLICKHOUSE_URL.',
    ],
    [
      500,
      'Code: 243. DB::Exception: Cannot reserve 1.00 MiB, not enough space. (NOT_ENOUGH_SPACE)',
      'The call history database (ClickHouse) failed: Cannot reserve 1.00 MiB, not enough space. ',
    ],
    [
      200,
      '{"data":[{"version":"18.16.1"}]}',
      'The call history database (ClickHouse) has version 18.16.1. It must be 24 or newer.',
    ],
  ])('explains what is wrong with a ClickHouse (%s %s)', async (status, body, message) => {
    nextResponse = { status, body }
    const history = createClickHouseCallHistory(server.address, { retention: { calls: 0, alerts: 0 } })
    await expect(history.listCalls(owner, listOptions)).rejects.toThrow(new UnavailableError(message))
  })

  it.each([signInPage, '', 'null', '[1]', '{"token":5}'])('is not a Homer sign-in: %s', async (body) => {
    nextResponse = { status: 200, body }
    const homer = createHomerCaptures({ url: server.address, username: 'a', password: 'b' })
    await expect(homer.findMessages('one@host')).rejects.toThrow(
      'The capture server returned an unreadable response. Check HOMER_BASE_URL.',
    )
  })

  it('differs from a wrong password and from a failure', async () => {
    const homer = createHomerCaptures({ url: server.address, username: 'a', password: 'b' })
    for (const [status, expectedMessage] of [
      [401, 'The capture server rejects the credentials. Check HOMER_USERNAME and HOMER_PASSWORD.'],
      [502, 'The capture server failed. Try again later.'],
    ] as const) {
      nextResponse = { status, body: signInPage }
      await expect(homer.findMessages('one@host')).rejects.toThrow(expectedMessage)
    }
  })

  it('is neither a SIP dialog nor a pcap file', async () => {
    const homer = createHomerCaptures({ url: server.address, username: 'a', password: 'b' })
    nextResponse = { status: 200, body: 'signed in' }
    await expect(homer.findMessages('one@host')).rejects.toThrow('unreadable response')
    for (const body of [signInPage, '{"message":"none"}']) {
      nextResponse = { status: 200, body }
      await expect(homer.findPcap('one@host', 'invite')).rejects.toThrow('unreadable response')
    }
    expect(requests.filter((request) => request.endsWith('/auth'))).toHaveLength(1)
  })

  it.each([
    '5',
    '[5]',
    '[null]',
    '[{"resource":5}]',
    '[{"resource":{"attributes":5}}]',
    '[{"resource":{"attributes":[null]}}]',
    '[{"scopeSpans":5}]',
    '[{"scopeSpans":[null]}]',
    '[{"scopeSpans":[{"spans":7}]}]',
    '[{"instrumentationLibrarySpans":[{"spans":[null]}]}]',
    '[{"scopeSpans":[{"spans":[{"attributes":[{"key":5}]}]}]}]',
    '[{"scopeSpans":[{"spans":[{"attributes":[{"key":"a","value":"b"}]}]}]}]',
  ])('is not a trace: %s', async (spans) => {
    nextResponse = { status: 200, body: `{"result":{"resourceSpans":${spans}}}` }
    const result = createJaegerTraces(server.address).findParts('1'.repeat(32))
    // `resourceSpans` that is no list means a trace without spans.
    if (spans === '5') expect(await result).toEqual([])
    else await expect(result).rejects.toThrow('The tracing server returned an unreadable response.')
  })
})
