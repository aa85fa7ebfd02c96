import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'
import { addActorToLog } from '../http/security-log'

/** For whom somebody may write: everybody, a provider and its accounts, or one account. */
export type Writer =
  | { all: true }
  | { service_provider_sid: string; account_sid: null }
  | { service_provider_sid: string; account_sid: string }

/** Finds out for whom a request may write; undefined without a key that may. The log lines of the request name the key. */
export type WriterOf = (request: FastifyRequest, reply: FastifyReply) => Promise<Writer | undefined>

/** Finds out the same by an Authorization header alone. */
export type WriterByKey = (authorization: string | undefined) => Promise<Writer | undefined>

/** What an Authorization header says, in one of the ways in which clients of InfluxDB and of OpenTelemetry say it. */
export const byHeader = (authorization = ''): { username: string; password: string } => {
  const [, scheme = '', value = ''] = /^(basic|token|bearer)\s+(\S+)\s*$/i.exec(authorization) ?? []
  const way = scheme.toLowerCase()
  const plain = way === 'basic' ? Buffer.from(value, 'base64').toString() : value
  const colon = way === 'bearer' ? -1 : plain.indexOf(':')
  return { username: plain.slice(0, Math.max(0, colon)), password: plain.slice(colon + 1) }
}

/** The secret of a request: of its header, or the password in its address. */
const keyOf = ({ headers, query }: FastifyRequest): string | undefined => {
  const { p } = query as { p?: unknown }
  // of a header the user's name says nothing
  return byHeader(headers.authorization).password || (typeof p === 'string' ? p : '') || undefined
}

const writerOf = (actor: Actor): Writer => {
  if (actor.scope === 'admin') return { all: true }
  const { service_provider_sid } = actor
  return { service_provider_sid, account_sid: actor.scope === 'account' ? actor.account_sid : null }
}

type ActorOf = (token: string) => Promise<Actor | undefined>

/** The API key of a request. A session belongs to a person and writes nothing here. */
const keyActor = async (key: string | undefined, actorOf: ActorOf): Promise<Actor | undefined> => {
  const actor = !key || key.includes('.') ? undefined : await actorOf(key)
  return actor && !actor.user_sid ? actor : undefined
}

/** API keys say whose data their holders may write. */
export const byApiKey =
  (actorOf: ActorOf): WriterOf =>
  async (request, reply) => {
    const actor = await keyActor(keyOf(request), actorOf)
    if (!actor) return undefined
    addActorToLog(request, reply, actor)
    return writerOf(actor)
  }

/** The same, where there is no more than a header. */
export const byKeyInHeader =
  (actorOf: ActorOf): WriterByKey =>
  async (authorization) => {
    const actor = await keyActor(byHeader(authorization).password, actorOf)
    return actor && writerOf(actor)
  }

/** On a port of their own the platform's servers write for everybody, because nobody else reaches it. */
export const byNetwork: WriterOf = () => Promise.resolve({ all: true })
