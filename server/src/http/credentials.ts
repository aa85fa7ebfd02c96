import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from './problem'

/** The token of a request: the Authorization header, or `access_token` in the query or the body, but only in one place. */
export const tokenOf = (request: FastifyRequest): string | undefined => {
  const found = [
    /^bearer\s+(\S+)\s*$/i.exec(request.headers.authorization ?? '')?.[1],
    (request.query as Record<string, unknown> | undefined)?.access_token,
    (request.body as Record<string, unknown> | null | undefined)?.access_token,
  ].filter((each): each is string => typeof each === 'string' && each !== '')
  if (found.length > 1) throw new Problem(400, 'Bad Request')
  return found[0]
}

/** Takes the token out of where a shape would refuse it as unknown. */
export const withoutToken = (request: FastifyRequest): void => {
  for (const part of [request.query, request.body]) {
    if (typeof part === 'object' && part !== null && 'access_token' in part) delete part.access_token
  }
}

/** The answer to a missing or an unknown credential. */
export const unauthorized = (token: string | undefined) =>
  new Problem(401, 'Unauthorized', {
    'www-authenticate': token ? 'Bearer realm="Users", error="invalid_token"' : 'Bearer realm="Users"',
  })

/** A name for a credential that may stand in memory and logs. */
export const fingerprint = (token: string): string =>
  createHash('sha256').update(token).digest('base64url').slice(0, 22)
