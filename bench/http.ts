import { Agent, request } from 'node:http'
import { Bench } from 'tinybench'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** A row of the request table. */
export interface Measured {
  name: string
  concurrency: number
  perSecond: number
  p50: number
  p99: number
}

interface Ask {
  method?: string
  path: string
  token?: string
  body?: object
}

/** Sends one request over a keep-alive connection and reads the whole response. Throws on a status above 299. */
export const ask = (base: string, { method = 'GET', path, token, body }: Ask): Promise<string> =>
  new Promise((resolve, reject) => {
    const payload = body && JSON.stringify(body)
    const sent = request(
      base + path,
      {
        agent,
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(payload ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } : {}),
        },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => (text += part))
        answer.on('end', () =>
          answer.statusCode! < 300
            ? resolve(text)
            : reject(new Error(`${method} ${path}: ${answer.statusCode} ${text}`)),
        )
      },
    )
    sent.on('error', reject)
    sent.end(payload)
  })

/** Measures requests, first one at a time and then eight concurrently by default. Latencies are in milliseconds. */
export const measure = async (
  tasks: Record<string, () => Promise<unknown>>,
  milliseconds: number,
  together: readonly number[] = [1, 8],
): Promise<Measured[]> => {
  const lines: Measured[] = []
  for (const [name, run] of Object.entries(tasks)) {
    for (const concurrency of together) {
      const bench = new Bench({ time: milliseconds, iterations: 10, warmupTime: 300, warmupIterations: 3 })
      bench.add(name, async () => {
        await Promise.all(Array.from({ length: concurrency }, run))
      })
      await bench.run()
      const result = bench.tasks[0]?.result
      if (!result || !('latency' in result)) throw new Error(`${name} could not be measured`)
      const { latency } = result
      lines.push({
        name,
        concurrency,
        perSecond: (1000 / latency.mean) * concurrency,
        p50: latency.p50 ?? NaN,
        p99: latency.p99 ?? NaN,
      })
    }
  }
  return lines
}
