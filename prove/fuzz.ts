import { createSocket } from 'node:dgram'
import { gzipSync } from 'node:zlib'
import { send, type HttpResponse } from './http'
import { fillPath, readOperations, type Operation } from './openapi'
import type { Random } from './random'
import { buildSampleBody } from './samples'
import type { TestTenancy } from './tenancy'

/** Formats a request for a report, shortened. */
const formatRequest = (method: string, path: string, body: unknown) => {
  const bodyText = body instanceof Uint8Array ? Buffer.from(body).toString('hex') : JSON.stringify(body)
  return `${method} ${path.slice(0, 300)} ${(bodyText ?? '').slice(0, 500)}`
}

/** A 503 with `retry-after` means that a service is missing or overloaded; every other 5xx is a bug. */
const isServerError = ({ status, headers }: HttpResponse) =>
  status >= 500 && !(status === 503 && headers.has('retry-after'))

/** A valid body in which some properties are replaced, added or left out. */
const buildHostileBody = (
  operation: Operation,
  random: Random,
  sidOf: (name: string) => string | undefined,
): unknown => {
  if (!operation.body || random.chance(0.1)) return random.hostileValue()
  const body = buildSampleBody(operation.body, sidOf)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return [random.hostileValue(), random.hostileValue()]
  const record = body as Record<string, unknown>
  const names = Object.keys(operation.body.properties ?? {})
  for (let count = random.integer(3); count >= 0; count -= 1) {
    const name = names.length > 0 && random.chance(0.9) ? random.pick(names) : random.hostileText()
    if (random.chance(0.15)) delete record[name]
    else record[name] = random.hostileValue()
  }
  return record
}

/**
 * Sends hostile parameters, queries and bodies to every documented route, as every kind of actor.
 * @param rounds the number of requests per route
 */
export const fuzzApi = async (
  url: string,
  admin: string,
  tenancy: TestTenancy,
  random: Random,
  rounds: number,
): Promise<string[]> => {
  const failures: string[] = []
  const tokens = [admin, undefined, 'no-such-token', ...tenancy.actors.map(({ token }) => token)]
  for (const operation of await readOperations(url)) {
    const { method, path, parameters } = operation
    for (let round = 0; round < rounds; round += 1) {
      const target = random.pick(tenancy.tenants)
      // Deletions never get a real SID, because later rounds need the records.
      const usesRealSids = method !== 'DELETE' && random.chance(0.7)
      const sidOf = (name: string) => (usesRealSids ? target.ids[name] : random.hostileText()) ?? random.hostileText()
      const queries = parameters.filter(({ in: place }) => place === 'query' && random.chance(0.6))
      const query = new URLSearchParams(queries.map(({ name }) => [name, random.hostileText()]))
      const pathWithQuery = `${fillPath(path, sidOf) ?? path}?${query}`
      const hasBody = method === 'POST' || method === 'PUT'
      const body = hasBody
        ? random.chance(0.05)
          ? random.bytes(2000)
          : buildHostileBody(operation, random, sidOf)
        : undefined
      const request = formatRequest(method, pathWithQuery, body)
      try {
        const response = await send(url, random.pick(tokens), method, pathWithQuery, body)
        if (isServerError(response)) failures.push(`${request}: ${response.status} ${response.text.slice(0, 200)}`)
      } catch (error) {
        failures.push(`${request}: no response (${String(error)})`)
      }
    }
  }
  return failures
}

/** Text with some characters replaced, repeated or cut off. */
const mutateText = (text: string, random: Random): string => {
  const position = random.integer(text.length)
  return random.pick([
    () => text.slice(0, position),
    () => text.slice(0, position) + random.hostileText() + text.slice(position),
    () => text.slice(0, position) + text.slice(position + 1 + random.integer(8)),
    () => text.repeat(1 + random.integer(3)),
    () => text.replace(/"[^"]*"/, () => JSON.stringify(random.hostileValue() ?? null)),
    () => text.replace(/=[^,]*/, () => `=${random.hostileText()}`),
  ])()
}

const mutateBytes = (bytes: Uint8Array, random: Random): Uint8Array => {
  const copy = Uint8Array.from(bytes)
  for (let count = random.integer(6); count >= 0; count -= 1)
    copy[random.integer(copy.length - 1)] = random.integer(255)
  return random.chance(0.3) ? copy.slice(0, random.integer(copy.length)) : copy
}

const buildTrace = (accountSid: string) =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'x' } }] },
        scopeSpans: [
          {
            spans: [
              {
                traceId: '0af7651916cd43dd8448eb211c80319c',
                spanId: 'b7ad6b7169203331',
                name: 'verb:say',
                startTimeUnixNano: '1795413600000000000',
                endTimeUnixNano: '1795413601000000000',
                attributes: [{ key: 'accountSid', value: { stringValue: accountSid } }],
              },
            ],
          },
        ],
      },
    ],
  })

/** A HEP 3 packet with a SIP message, as capture agents send it. */
const buildHepPacket = (): Uint8Array => {
  const chunk = (type: number, content: Buffer) => {
    const head = Buffer.alloc(6)
    head.writeUInt16BE(type, 2)
    head.writeUInt16BE(content.length + 6, 4)
    return Buffer.concat([head, content])
  }
  const port = Buffer.from([0x13, 0xc4])
  const sip = 'OPTIONS sip:a@b SIP/2.0\r\nCall-ID: fuzz@host\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n'
  // address family, protocol, both addresses, both ports, time, payload type (SIP), payload
  const body = Buffer.concat([
    chunk(1, Buffer.from([2])),
    chunk(2, Buffer.from([17])),
    chunk(3, Buffer.from([192, 0, 2, 1])),
    chunk(4, Buffer.from([192, 0, 2, 2])),
    chunk(7, port),
    chunk(8, port),
    chunk(9, Buffer.from([0x6b, 0, 0, 0])),
    chunk(10, Buffer.from([0, 0, 0, 1])),
    chunk(11, Buffer.from([1])),
    chunk(15, Buffer.from(sip)),
  ])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(body.length + 6)
  return Buffer.concat([Buffer.from('HEP3'), length, body])
}

/**
 * Sends damaged call records, alerts, traces, uploads and captures to the ingest endpoints.
 * @param rounds the number of requests per endpoint
 */
export const fuzzIngest = async (
  url: string,
  tenancy: TestTenancy,
  random: Random,
  rounds: number,
  hepPort: number,
): Promise<string[]> => {
  const failures: string[] = []
  const keys = tenancy.actors.filter(({ name }) => name.startsWith('key'))
  const socket = createSocket('udp4')
  const packet = buildHepPacket()
  for (let round = 0; round < rounds; round += 1) {
    const { token, tenant } = random.pick(keys)
    const account = tenant?.accountSid ?? ''
    const line = `cdrs,account_sid=${account},answered=true call_sid="${random.integer(1e9)}",from="1",to="2",duration=3i 1795413600000`
    const trace = buildTrace(account)
    const requests: [path: string, body: string | Uint8Array, type: string][] = [
      [
        `/write?db=${random.pick(['cdrs', 'alerts', random.hostileText()])}&precision=ms`,
        mutateText(line, random),
        'text/plain',
      ],
      ['/v1/traces', mutateText(trace, random), 'application/json'],
      ['/v1/traces', mutateBytes(Buffer.from(trace), random), 'application/x-protobuf'],
      [
        `/v1/Accounts/${account}/RecentCalls/${encodeURIComponent(random.hostileText().toWellFormed())}/record/2026/11/23/wav`,
        random.bytes(500),
        'audio/wav',
      ],
    ]
    for (const [path, body, type] of requests) {
      const request = formatRequest('POST', path, body)
      try {
        const response = await send(url, token, 'POST', path, random.chance(0.1) ? gzipSync(body) : body, type)
        if (isServerError(response)) failures.push(`${request}: ${response.status} ${response.text.slice(0, 200)}`)
      } catch (error) {
        failures.push(`${request}: no response (${String(error)})`)
      }
    }
    socket.send(mutateBytes(packet, random), hepPort, '127.0.0.1')
  }
  socket.close()
  const health = await send(url, undefined, 'GET', '/healthz')
  if (health.status !== 200) failures.push(`GET /healthz answered ${health.status} at the end`)
  return failures
}
