import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from './problem'

const readAccessToken = (part: unknown): string | undefined => {
  const value = (part as Record<string, unknown> | null | undefined)?.access_token
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The token in the Authorization header or in the query, both of which are known before the body. Refuses two of them. */
export const tokenInHeaderOrQuery = ({ headers, query }: FastifyRequest): string | undefined => {
  const inHeader = /^bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1]
  const inQuery = readAccessToken(query)
  if (inHeader && inQuery) throw new Problem(400, 'Bad Request')
  return inHeader ?? inQuery
}

/** The token in the body. */
export const tokenInBody = ({ body }: FastifyRequest): string | undefined => readAccessToken(body)

/** Takes the token out of a query or a body, where a shape would refuse it as unknown. */
export const removeToken = (part: unknown): void => {
  if (typeof part === 'object' && part !== null && 'access_token' in part) delete part.access_token
}

/** The answer to a missing or an unknown credential. */
export const unauthorized = (token: string | undefined) =>
  new Problem(401, 'Unauthorized', {
    'www-authenticate': token ? 'Bearer realm="Users", error="invalid_token"' : 'Bearer realm="Users"',
  })

/** A name for a credential that may stand in memory and logs. */
export const fingerprint = (token: string): string =>
  createHash('sha256').update(token).digest('base64url').slice(0, 22)
