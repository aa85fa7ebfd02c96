import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listening, sendJson } from '../../../test/doubles/listening'
import { Unavailable } from '../../ports/unavailable'
import { influxCallHistory } from '../call-history/influx/store'
import { homerCaptures } from '../captures/homer'
import { jaegerTraces } from '../traces/jaeger'

const page = '<html>Sign in</html>'
const look = { page: 1, count: 25 }
const whose = { account_sid: 'acme' }

/** Whatever stands where a server of the platform should: a proxy's page, or another server. */
describe('an answer that nobody can read', () => {
  let said = { status: 200, body: '' }
  let asked: string[] = []
  let server: Awaited<ReturnType<typeof listening>>
  beforeAll(async () => {
    server = await listening((request, response) => {
      request.resume()
      asked.push(`${request.method} ${request.url?.split('?')[0]}`)
      if (said.body === 'signed in' && request.url?.endsWith('/auth')) return sendJson(response, 201, { token: 'a' })
      response.writeHead(said.status, { 'content-type': 'application/json' }).end(said.body)
    })
  })
  afterAll(() => server.stop())
  beforeEach(() => {
    asked = []
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
  ])('is no history without calls: %s', async (body) => {
    said = { status: 200, body }
    const history = influxCallHistory(server.address)
    for (const ask of [
      () => history.calls(whose, look),
      () => history.sums(whose, {}),
      () => history.alerts(whose, look),
      () => history.find(whose, { call_sid: 'a' }),
      () => history.isOwner(whose, { call_sid: 'a' }),
    ]) {
      await expect(ask()).rejects.toThrow(Unavailable)
      await expect(ask()).rejects.toThrow('The call history gives no answer that can be read. Check INFLUX_URL.')
    }
  })

  it('does not say that calls were kept', async () => {
    const history = influxCallHistory(server.address)
    const write = () => history.write('cdrs', [{ tags: whose, fields: { call_sid: 'a' }, time: 1n }])
    for (const body of [page, '', '{"results":[{}]}']) {
      said = { status: 200, body }
      await expect(write()).rejects.toThrow(Unavailable)
    }
    said = { status: 204, body: '' }
    await write()
  })

  it.each([page, '', 'null', '[1]', '{"token":5}'])('lets nobody in at Homer: %s', async (body) => {
    said = { status: 200, body }
    const homer = homerCaptures({ url: server.address, username: 'a', password: 'b' })
    await expect(homer.trace('one@host')).rejects.toThrow(
      'The capture server gives no answer that can be read. Check HOMER_BASE_URL.',
    )
  })

  it('is told apart from a password that is wrong, and from a failure', async () => {
    const homer = homerCaptures({ url: server.address, username: 'a', password: 'b' })
    for (const [status, words] of [
      [401, 'The capture server does not let us in. Its username or password is wrong.'],
      [502, 'The capture server failed. Try again later.'],
    ] as const) {
      said = { status, body: page }
      await expect(homer.trace('one@host')).rejects.toThrow(words)
    }
  })

  it('is neither a dialogue nor a file of packets', async () => {
    const homer = homerCaptures({ url: server.address, username: 'a', password: 'b' })
    said = { status: 200, body: 'signed in' }
    await expect(homer.trace('one@host')).rejects.toThrow('no answer that can be read')
    for (const body of [page, '{"message":"none"}']) {
      said = { status: 200, body }
      await expect(homer.pcap('one@host', 'invite')).rejects.toThrow('no answer that can be read')
    }
    expect(asked.filter((each) => each.endsWith('/auth'))).toHaveLength(1)
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
  ])('is no trace: %s', async (spans) => {
    said = { status: 200, body: `{"result":{"resourceSpans":${spans}}}` }
    const found = jaegerTraces(server.address).find('1'.repeat(32))
    // what is no list at all is a trace without spans
    if (spans === '5') expect(await found).toEqual([])
    else await expect(found).rejects.toThrow('The tracing server gives no answer that can be read.')
  })
})
