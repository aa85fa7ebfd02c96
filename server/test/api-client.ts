import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../src/db/database'
import { platformTables } from '../src/db/platform-tables'
import type { Backend } from './backend'
import { actors, password, type ActorName } from './test-data'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS'

/** A response. `body` is undefined if there is none, a string for plain text, and parsed for JSON. */
export interface ApiResponse {
  status: number
  body: ReturnType<typeof JSON.parse>
  headers: Record<string, string | undefined>
}

/** Sends one request to a path below /v1. */
export type ApiClient = (
  method: Method,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ApiResponse>

const parseBody = (contentType: unknown, text: string): unknown => {
  if (text === '') return undefined
  return String(contentType).startsWith('application/json') ? JSON.parse(text) : text
}

/** A client of the app, with this token or without one. */
export const createApiClient =
  (app: FastifyInstance, token?: string): ApiClient =>
  async (method, path, body, headers = {}) => {
    const response = await app.inject({
      method,
      url: /^\/+v1\//i.test(path) ? path : `/v1${path}`,
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const contentType = response.headers['content-type']
    return {
      status: response.statusCode,
      body: parseBody(contentType, response.body),
      headers: response.headers as ApiResponse['headers'],
    }
  }

/** Every route of the contract that this app serves, as `METHOD /path/with/:params`. */
export const listRoutes = async (app: FastifyInstance): Promise<string[]> => {
  const { paths } = (await app.inject('/openapi.json')).json<{ paths: Record<string, object> }>()
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(
      (method) => `${method.toUpperCase()} ${path.replace(/^\/v1/, '').replace(/\{(\w+)\}/g, ':$1')}`,
    ),
  )
}

/** Signs in and returns the token. */
export const fetchToken = async (app: FastifyInstance, username: string, userPassword = password): Promise<string> => {
  const { status, body } = await createApiClient(app)('POST', '/login', { username, password: userPassword })
  if (status !== 200) throw new Error(`${username} cannot sign in: ${status} ${JSON.stringify(body)}`)
  return body.token
}

/** A client for every user and every API key of the test data. */
export const createClients = async ({ app, testData }: Backend) => {
  const users = {} as Record<ActorName, ApiClient>
  const keys = {} as Record<ActorName, ApiClient>
  for (const name of actors) {
    users[name] = createApiClient(app, await fetchToken(app, name))
    keys[name] = createApiClient(app, testData.keys[name])
  }
  return { users, keys, viewer: createApiClient(app, await fetchToken(app, 'viewer')), anonymous: createApiClient(app) }
}

/** The content of the platform's tables, to check that nothing changed. */
export const takeSnapshot = async ({ db }: Pick<Database, 'db'>): Promise<Record<string, unknown[]>> => {
  const rowsByTable: Record<string, unknown[]> = {}
  for (const { name, columns } of platformTables) {
    const key = Object.keys(columns)[0]!
    const { rows } = await sql<
      Record<string, unknown>
    >`select * from ${sql.table(name)} order by ${sql.ref(key)}`.execute(db)
    // `last_used` changes with every request.
    rowsByTable[name] = rows.map(({ last_used: _, ...row }) => row)
  }
  return rowsByTable
}
