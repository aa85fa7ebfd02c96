import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from './problem'

/** The size limit of a body from a sender that is not authenticated yet. */
export const maxAnonymousBytes = 100 * 1024

const createTooLargeProblem = () =>
  new Problem(413, {
    msg: 'request entity too large: a body of more than 100 KiB needs its credential in the Authorization header',
  })

/** Whether a request has a body, which may contain its token. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Passes a stream through, and fails it when it exceeds the limit. */
const createSizeLimit = (): Transform => {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      if (bytes > maxAnonymousBytes) done(createTooLargeProblem())
      else done(null, chunk)
    },
  })
}

/**
 * Limits the bodies of anonymous requests. Some routes accept many megabytes, which would be buffered and parsed before the
 * sender is authenticated.
 */
export const limitAnonymousBodies = (app: FastifyInstance, isAnonymous: (request: FastifyRequest) => boolean): void => {
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (!isAnonymous(request) || !hasBody(request)) return payload
    const length = request.headers['content-length']
    if (length === undefined) return payload.pipe(createSizeLimit())
    if (Number(length) > maxAnonymousBytes) throw createTooLargeProblem()
    return payload
  })
}
