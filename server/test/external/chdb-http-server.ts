/**
 * A small HTTP server in front of chDB, the ClickHouse engine as a library, for tests on machines without a ClickHouse server.
 * It speaks the part of ClickHouse's HTTP protocol that our client uses: queries with bound parameters and settings, inserts
 * and /ping. It has no users and listens on loopback only.
 *
 * Arguments: the folder in which chDB is installed, the folder for the data, and the port.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

interface ChdbSession {
  close(): void
  queryAsync(sql: string, options: { format: string }): Promise<{ bytes(): Uint8Array }>
}

const host = '127.0.0.1'
/** Queries that run at the same time. Each has its own session, because parameters are settings of a session. */
const sessionCount = 4

const [installFolder, dataFolder, port] = process.argv.slice(2)
if (!installFolder || !dataFolder || !port)
  throw new Error('Usage: chdb-http-server.ts INSTALL_FOLDER DATA_FOLDER PORT')
const { Session } = createRequire(join(installFolder, 'package.json'))('chdb') as {
  Session: new (path: string) => ChdbSession
}

/** A session, and the settings that its last query has changed. */
interface PooledSession {
  session: ChdbSession
  changedSettings: string[]
}

const openSession = (): PooledSession => ({ session: new Session(dataFolder), changedSettings: [] })
const idleSessions = Array.from({ length: sessionCount }, openSession)
const waitingRequests: ((session: PooledSession) => void)[] = []

const takeSession = (): Promise<PooledSession> => {
  const session = idleSessions.pop()
  return session ? Promise.resolve(session) : new Promise((resolve) => waitingRequests.push(resolve))
}

const returnSession = (session: PooledSession) => {
  const resolve = waitingRequests.shift()
  if (resolve) resolve(session)
  else idleSessions.push(session)
}

/** Parameters of the protocol that are no settings of the engine. */
const protocolParameters = new Set([
  ...['query', 'query_id', 'database', 'default_format', 'session_id', 'role', 'compress', 'decompress'],
  ...['wait_end_of_query', 'enable_http_compression', 'send_progress_in_http_headers'],
  ...['http_headers_progress_interval_ms', 'http_response_buffer_size'],
])

const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

/** Returns the statements that set the parameters and settings of a query, and reset those of the query before. */
const buildSetStatements = (pooledSession: PooledSession, parameters: URLSearchParams): string => {
  const settings = [...parameters].filter(([name]) => !protocolParameters.has(name) && /^\w+$/.test(name))
  const resetStatements = pooledSession.changedSettings.map((name) => `set ${name} = default;`)
  pooledSession.changedSettings = settings.map(([name]) => name).filter((name) => !name.startsWith('param_'))
  return [...resetStatements, ...settings.map(([name, value]) => `set ${name} = ${quote(value)};`)].join('')
}

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
}

const runQuery = async (request: IncomingMessage, parameters: URLSearchParams): Promise<Uint8Array> => {
  const body = (await readBody(request)).toString()
  const query = [parameters.get('query'), body].filter(Boolean).join('\n')
  let pooledSession = await takeSession()
  try {
    const result = await pooledSession.session.queryAsync(buildSetStatements(pooledSession, parameters) + query, {
      format: parameters.get('default_format') ?? 'TabSeparated',
    })
    return result.bytes()
  } catch (error) {
    // After an error, a session may return the rest of the failed query's result.
    pooledSession.session.close()
    pooledSession = openSession()
    throw error
  } finally {
    returnSession(pooledSession)
  }
}

const respondWithError = (response: ServerResponse, error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  const [, code = '1002'] = /Code: (\d+)/.exec(message) ?? []
  response.writeHead(500, { 'content-type': 'text/plain; charset=UTF-8', 'x-clickhouse-exception-code': code })
  response.end(`${message}\n`)
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/ping') {
    response.end('Ok.\n')
    return
  }
  runQuery(request, searchParams).then(
    (bytes) => response.end(bytes),
    (error: unknown) => respondWithError(response, error),
  )
})
server.listen(Number(port), host)
