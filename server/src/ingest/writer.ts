import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'
import { addActorToLog } from '../http/security-log'

/** The owner for which a writer may write: everybody, a provider with its accounts, or one account. */
export type Writer =
  | { all: true }
  | { service_provider_sid: string; account_sid: null }
  | { service_provider_sid: string; account_sid: string }

/** Finds the writer of a request; undefined without a valid key. Names the key in the log lines of the request. */
export type WriterLookup = (request: FastifyRequest, reply: FastifyReply) => Promise<Writer | undefined>

/** Finds the writer by an Authorization header alone. */
export type WriterByHeader = (authorization: string | undefined) => Promise<Writer | undefined>

/** Parses an Authorization header in the formats of InfluxDB and OpenTelemetry clients. */
export const parseAuthorization = (authorization = ''): { username: string; password: string } => {
  const [, rawScheme = '', value = ''] = /^(basic|token|bearer)\s+(\S+)\s*$/i.exec(authorization) ?? []
  const scheme = rawScheme.toLowerCase()
  const credentials = scheme === 'basic' ? Buffer.from(value, 'base64').toString() : value
  const colon = scheme === 'bearer' ? -1 : credentials.indexOf(':')
  return { username: credentials.slice(0, Math.max(0, colon)), password: credentials.slice(colon + 1) }
}

/** The API key of a request, from its header or the `p` parameter. */
const requestKey = ({ headers, query }: FastifyRequest): string | undefined => {
  const { p } = query as { p?: unknown }
  // The username of the header is ignored.
  return parseAuthorization(headers.authorization).password || (typeof p === 'string' ? p : '') || undefined
}

const writerFor = (actor: Actor): Writer => {
  if (actor.scope === 'admin') return { all: true }
  const { service_provider_sid } = actor
  return { service_provider_sid, account_sid: actor.scope === 'account' ? actor.account_sid : null }
}

type ActorLookup = (token: string) => Promise<Actor | undefined>

/** Finds the API key's actor. Session tokens are not accepted. */
const findKeyActor = async (key: string | undefined, findActor: ActorLookup): Promise<Actor | undefined> => {
  const actor = !key || key.includes('.') ? undefined : await findActor(key)
  return actor && !actor.user_sid ? actor : undefined
}

/** Finds writers by API key. */
export const writerByApiKey =
  (findActor: ActorLookup): WriterLookup =>
  async (request, reply) => {
    const actor = await findKeyActor(requestKey(request), findActor)
    if (!actor) return undefined
    addActorToLog(request, reply, actor)
    return writerFor(actor)
  }

/** Finds writers by API key, given only a header. */
export const writerByKeyHeader =
  (findActor: ActorLookup): WriterByHeader =>
  async (authorization) => {
    const actor = await findKeyActor(parseAuthorization(authorization).password, findActor)
    return actor && writerFor(actor)
  }

/** On the port without keys, which only the platform's servers can reach, everybody may write everything. */
export const platformWriter: WriterLookup = () => Promise.resolve({ all: true })
