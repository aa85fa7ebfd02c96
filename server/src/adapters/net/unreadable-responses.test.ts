import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listening, sendJson } from '../../../test/doubles/listening'
import { UnavailableError } from '../../ports/service-errors'
import { influxCallHistory } from '../call-history/influx/store'
import { homerCaptures } from '../captures/homer'
import { jaegerTraces } from '../traces/jaeger'

const page = '<html>Sign in</html>'
const options = { page: 1, count: 25 }
const owner = { account_sid: 'acme' }

/** Another server at the configured address, for example a proxy with a sign-in page. */
describe('an unreadable response', () => {
  let received = { status: 200, body: '' }
  let requests: string[] = []
  let server: Awaited<ReturnType<typeof listening>>
  beforeAll(async () => {
    server = await listening((request, response) => {
      request.resume()
      requests.push(`${request.method} ${request.url?.split('?')[0]}`)
      if (received.body === 'signed in' && request.url?.endsWith('/auth'))
        return sendJson(response, 201, { token: 'a' })
      response.writeHead(received.status, { 'content-type': 'application/json' }).end(received.body)
    })
  })
  afterAll(() => server.stop())
  beforeEach(() => {
    requests = []
  })

  const series = (values: unknown, columns: unknown = ['time', 'n0']) =>
    JSON.stringify({ results: [{ series: [{ columns, values }] }] })

  it.each([
    page,
    '',
    'null',
    '[1]',
    '{}',
    '{"results":[]}',
    '{"results":"x"}',
    '{"results":[null]}',
    '{"results":[{"series":"x"}]}',
    series([['soon', 5]]),
    series([[1]], 5),
    series([null]),
  ])('is not an empty call history: %s', async (body) => {
    received = { status: 200, body }
    const history = influxCallHistory(server.address)
    for (const send of [
      () => history.calls(owner, options),
      () => history.sums(owner, {}),
      () => history.alerts(owner, options),
      () => history.find(owner, { call_sid: 'a' }),
      () => history.isOwner(owner, { call_sid: 'a' }),
    ]) {
      await expect(send()).rejects.toThrow(UnavailableError)
      await expect(send()).rejects.toThrow('The call history returned an unreadable response. Check INFLUX_URL.')
    }
  })

  it('does not confirm a write', async () => {
    const history = influxCallHistory(server.address)
    const write = () => history.write('cdrs', [{ tags: owner, fields: { call_sid: 'a' }, time: 1n }])
    for (const body of [page, '', '{"results":[{}]}']) {
      received = { status: 200, body }
      await expect(write()).rejects.toThrow(UnavailableError)
    }
    received = { status: 204, body: '' }
    await write()
  })

  it.each([page, '', 'null', '[1]', '{"token":5}'])('is not a Homer sign-in: %s', async (body) => {
    received = { status: 200, body }
    const homer = homerCaptures({ url: server.address, username: 'a', password: 'b' })
    await expect(homer.trace('one@host')).rejects.toThrow(
      'The capture server returned an unreadable response. Check HOMER_BASE_URL.',
    )
  })

  it('differs from a wrong password and from a failure', async () => {
    const homer = homerCaptures({ url: server.address, username: 'a', password: 'b' })
    for (const [status, words] of [
      [401, 'The capture server rejects the credentials. Its username or password is wrong.'],
      [502, 'The capture server failed. Try again later.'],
    ] as const) {
      received = { status, body: page }
      await expect(homer.trace('one@host')).rejects.toThrow(words)
    }
  })

  it('is neither a dialogue nor a pcap file', async () => {
    const homer = homerCaptures({ url: server.address, username: 'a', password: 'b' })
    received = { status: 200, body: 'signed in' }
    await expect(homer.trace('one@host')).rejects.toThrow('unreadable response')
    for (const body of [page, '{"message":"none"}']) {
      received = { status: 200, body }
      await expect(homer.pcap('one@host', 'invite')).rejects.toThrow('unreadable response')
    }
    expect(requests.filter((item) => item.endsWith('/auth'))).toHaveLength(1)
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
    received = { status: 200, body: `{"result":{"resourceSpans":${spans}}}` }
    const result = jaegerTraces(server.address).find('1'.repeat(32))
    // a result without a list is a trace without spans
    if (spans === '5') expect(await result).toEqual([])
    else await expect(result).rejects.toThrow('The tracing server returned an unreadable response.')
  })
})
