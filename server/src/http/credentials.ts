import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from './problem'

const readAccessToken = (queryOrBody: unknown): string | undefined => {
  const value = (queryOrBody as Record<string, unknown> | null | undefined)?.access_token
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The token in the Authorization header or the query. Throws 400 if both have one. */
export const findTokenInHeaderOrQuery = ({ headers, query }: FastifyRequest): string | undefined => {
  const inHeader = /^bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1]
  const inQuery = readAccessToken(query)
  if (inHeader && inQuery) throw new Problem(400, 'Bad Request')
  return inHeader ?? inQuery
}

/** The token in the body. */
export const findTokenInBody = ({ body }: FastifyRequest): string | undefined => readAccessToken(body)

/** Removes the token from a query or body, because a schema may refuse unknown fields. */
export const removeToken = (queryOrBody: unknown): void => {
  if (typeof queryOrBody === 'object' && queryOrBody !== null && 'access_token' in queryOrBody)
    delete queryOrBody.access_token
}

/** The response to a missing or unknown credential. */
export const unauthorized = (token: string | undefined) =>
  new Problem(401, 'Unauthorized', {
    'www-authenticate': token ? 'Bearer realm="Users", error="invalid_token"' : 'Bearer realm="Users"',
  })

/** Identifies a credential in memory and logs without revealing it. */
export const fingerprintOf = (token: string): string =>
  createHash('sha256').update(token).digest('base64url').slice(0, 22)
