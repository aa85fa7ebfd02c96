import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { chooseRequests, compareServers, formatComparison, parseCompareSettings } from './compare'

const environment = {
  BENCH_COMPARE: 'http://127.0.0.1:3000/ http://127.0.0.1:4000',
  BENCH_TOKENS: 'first,second',
  BENCH_PIDS: '12 34 56',
  BENCH_MS: '1',
  BENCH_RUNS: '3',
  BENCH_CONCURRENCY: '2',
}

describe('the settings of a comparison', () => {
  it('have two servers, each with a token and a process, and the process of the database', () => {
    expect(parseCompareSettings(environment)).toEqual({
      servers: [
        { base: 'http://127.0.0.1:3000', token: 'first', pid: 12 },
        { base: 'http://127.0.0.1:4000', token: 'second', pid: 34 },
      ],
      databasePid: 56,
      durationMs: 1,
      runs: 3,
      concurrency: 2,
      paths: [],
    })
  })

  it.each([
    [{ BENCH_COMPARE: 'http://127.0.0.1:3000' }, 'BENCH_COMPARE must contain two base URLs'],
    [{ BENCH_COMPARE: 'a b c' }, 'BENCH_COMPARE must contain two base URLs'],
    [{ BENCH_TOKENS: 'first' }, 'BENCH_TOKENS must contain two tokens, one for each server'],
    [{ BENCH_PIDS: '12 node' }, "BENCH_PIDS contains 'node', which is not the ID of a process"],
  ])('are refused with %j', (change, message) => {
    expect(() => parseCompareSettings({ ...environment, ...change })).toThrow(message)
  })
})

describe('a comparison', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  /** Starts a server that records the requests of both servers in `received`. */
  const startServer = async (name: string, received: string[], bodies: Record<string, unknown>) => {
    const server = createServer(({ url = '', headers }, response) => {
      received.push(`${name} ${url} ${headers.authorization}`)
      response.writeHead(url in bodies ? 200 : 404).end(JSON.stringify(bodies[url]))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const startBoth = async (received: string[], bodiesOfSecond: Record<string, unknown>) => {
    const bodies = {
      '/v1/ServiceProviders': [{ service_provider_sid: 'p1' }],
      '/v1/Applications?page=1&page_size=1': { total: 1, data: [{ application_sid: 'a1' }] },
      '/one': [],
      '/two': [],
    }
    const first = await startServer('first', received, bodies)
    const second = await startServer('second', received, bodiesOfSecond)
    return parseCompareSettings({ ...environment, BENCH_COMPARE: `${first} ${second}`, BENCH_PIDS: '' })
  }

  it('sends the same requests to both servers in turn, each with its own token', async () => {
    const received: string[] = []
    const settings = await startBoth(received, { '/one': [] })
    const compared = await compareServers({ one: '/one' }, settings)
    const order = received.filter((line, index) => line !== received[index - 1])
    // One request checks each server; then the runs are first and second, second and first, first and second.
    expect(order).toEqual([
      'first /one Bearer first',
      'second /one Bearer second',
      'first /one Bearer first',
      'second /one Bearer second',
      'first /one Bearer first',
      'second /one Bearer second',
    ])
    expect(compared[0]?.result).toEqual([
      { perSecond: expect.any(Number), p50Ms: expect.any(Number), cpuMs: undefined, databaseCpuMs: undefined },
      { perSecond: expect.any(Number), p50Ms: expect.any(Number), cpuMs: undefined, databaseCpuMs: undefined },
    ])
  })

  it('reports a request that one of the servers refuses, and measures the others', async () => {
    const settings = await startBoth([], { '/one': [] })
    const table = formatComparison(await compareServers({ one: '/one', two: '/two' }, settings))
    expect(table).toMatch(/\| one \| \d+ \| \d+ \| [\d.]+ \|/)
    expect(table).toContain('| two | not compared: GET /two: 404')
  })

  it('measures the CPU time of a process', async () => {
    const settings = await startBoth([], { '/one': [] })
    const [first, second] = settings.servers
    const [compared] = await compareServers(
      { one: '/one' },
      { ...settings, servers: [{ ...first, pid: process.pid }, second], databasePid: 2 ** 30 },
    )
    const cpuMs = process.platform === 'linux' ? (expect.any(Number) as number) : undefined
    expect(compared?.result).toMatchObject([{ cpuMs, databaseCpuMs: undefined }, { cpuMs: undefined }])
  })

  it('chooses requests with the SIDs of the first server, or those of BENCH_PATHS', async () => {
    const settings = await startBoth([], {})
    const requests = await chooseRequests(settings)
    expect(requests).toMatchObject({
      'one application': '/v1/Applications/a1',
      'phone numbers of one provider': '/v1/PhoneNumbers?page=1&page_size=25&service_provider_sid=p1',
    })
    expect(await chooseRequests({ ...settings, paths: ['/one', '/two'] })).toEqual({ '/one': '/one', '/two': '/two' })
  })

  it('is a table with the ratio of the requests per second', () => {
    const measurement = (perSecond: number, p50Ms: number) => ({
      perSecond,
      p50Ms,
      cpuMs: 0.5,
      databaseCpuMs: undefined,
    })
    const lines = formatComparison([
      { name: 'one', path: '/one', result: [measurement(300, 1.5), measurement(200, 12)] },
    ]).split('\n')
    expect(lines[2]).toBe('| one | 300 | 200 | 1.50 | 1.50 | 12 | 0.50 + – | 0.50 + – |')
  })
})
