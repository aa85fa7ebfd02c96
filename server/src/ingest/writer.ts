import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'
import { addActorToLog } from '../http/security-log'

/** The tenants for which a writer may write: all, a provider with its accounts, or one account. */
export type Writer =
  | { all: true }
  | { service_provider_sid: string; account_sid: null }
  | { service_provider_sid: string; account_sid: string }

/** The writer that may write for every account. */
export const writerForAllTenants: Writer = { all: true }

/** Finds the writer of a request; undefined without a valid key. Adds the key's SID to the log lines of the request. */
export type WriterLookup = (request: FastifyRequest, reply: FastifyReply) => Promise<Writer | undefined>

/** Finds the writer by an Authorization header alone. */
export type HeaderWriterLookup = (authorization: string | undefined) => Promise<Writer | undefined>

/** Parses an Authorization header in the formats of InfluxDB and OpenTelemetry clients. */
export const parseAuthorization = (authorization = ''): { username: string; password: string } => {
  const [, rawScheme = '', value = ''] = /^(basic|token|bearer)\s+(\S+)\s*$/i.exec(authorization) ?? []
  const scheme = rawScheme.toLowerCase()
  const credentials = scheme === 'basic' ? Buffer.from(value, 'base64').toString() : value
  const separatorIndex = scheme === 'bearer' ? -1 : credentials.indexOf(':')
  return {
    username: credentials.slice(0, Math.max(0, separatorIndex)),
    password: credentials.slice(separatorIndex + 1),
  }
}

/** Reads the API key of a request from its header, or from the `p` parameter of InfluxDB clients. */
const readRequestKey = ({ headers, query }: FastifyRequest): string | undefined => {
  const { p } = query as { p?: unknown }
  // The username of the header is ignored.
  return parseAuthorization(headers.authorization).password || (typeof p === 'string' ? p : '') || undefined
}

const toWriter = (actor: Actor): Writer => {
  if (actor.scope === 'admin') return writerForAllTenants
  const { service_provider_sid } = actor
  return { service_provider_sid, account_sid: actor.scope === 'account' ? actor.account_sid : null }
}

type ActorLookup = (token: string) => Promise<Actor | undefined>

/** Finds the actor of an API key. Session tokens, which contain dots and belong to users, are not accepted. */
const findKeyActor = async (key: string | undefined, findActor: ActorLookup): Promise<Actor | undefined> => {
  const actor = !key || key.includes('.') ? undefined : await findActor(key)
  return actor && !actor.user_sid ? actor : undefined
}

/** Creates a lookup of writers by the API key of a request. */
export const createWriterLookup =
  (findActor: ActorLookup): WriterLookup =>
  async (request, reply) => {
    const actor = await findKeyActor(readRequestKey(request), findActor)
    if (!actor) return undefined
    addActorToLog(request, reply, actor)
    return toWriter(actor)
  }

/** Creates a lookup of writers by the API key in an Authorization header. */
export const createHeaderWriterLookup =
  (findActor: ActorLookup): HeaderWriterLookup =>
  async (authorization) => {
    const actor = await findKeyActor(parseAuthorization(authorization).password, findActor)
    return actor && toWriter(actor)
  }

/** On the port without keys, which only the platform's servers can reach, every client may write for every account. */
export const findPlatformWriter: WriterLookup = () => Promise.resolve(writerForAllTenants)
