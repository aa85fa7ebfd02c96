import { Agent, request } from 'node:http'
import { Bench } from 'tinybench'
import { defaultServiceProviderSid } from '../server/src/db/seed-data'

/** The API path of the service provider that a new database contains. */
export const providerPath = `/v1/ServiceProviders/${defaultServiceProviderSid}`

const sharedAgent = new Agent({ keepAlive: true, maxSockets: 64 })

/** A row of the request table. */
export interface RequestMeasurement {
  name: string
  concurrency: number
  perSecond: number
  p50Ms: number
  p99Ms: number
}

interface BenchRequest {
  method?: string
  path: string
  token?: string
  body?: object
  /** Its connections; by default up to 64 that all requests share. */
  agent?: Agent
}

/** Sends one request over a keep-alive connection and reads the whole response. Throws on a status above 299. */
export const sendRequest = (
  base: string,
  { method = 'GET', path, token, body, agent = sharedAgent }: BenchRequest,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const payload = body && JSON.stringify(body)
    const clientRequest = request(
      base + path,
      {
        agent,
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(payload ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } : {}),
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => (text += part))
        response.on('end', () =>
          response.statusCode! < 300
            ? resolve(text)
            : reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`)),
        )
      },
    )
    clientRequest.on('error', reject)
    clientRequest.end(payload)
  })

/** Measures requests, first one at a time and then eight concurrently by default. */
export const measureRequests = async (
  tasks: Record<string, () => Promise<unknown>>,
  durationMs: number,
  concurrencies: readonly number[] = [1, 8],
): Promise<RequestMeasurement[]> => {
  const rows: RequestMeasurement[] = []
  for (const [name, run] of Object.entries(tasks)) {
    for (const concurrency of concurrencies) {
      const bench = new Bench({ time: durationMs, iterations: 10, warmupTime: 300, warmupIterations: 3 })
      bench.add(name, async () => {
        await Promise.all(Array.from({ length: concurrency }, run))
      })
      await bench.run()
      const result = bench.tasks[0]?.result
      if (!result || !('latency' in result)) throw new Error(`${name} could not be measured`)
      const { latency } = result
      rows.push({
        name,
        concurrency,
        perSecond: (1000 / latency.mean) * concurrency,
        p50Ms: latency.p50 ?? NaN,
        p99Ms: latency.p99 ?? NaN,
      })
    }
  }
  return rows
}
