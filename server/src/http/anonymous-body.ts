import { Transform } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from './problem'

/** Bytes that a body may have while nobody knows who sends it. */
export const maxAnonymousBytes = 100 * 1024

const tooLarge = () =>
  new Problem(413, {
    msg: 'request entity too large: a body of more than 100 KiB needs its credential in the Authorization header',
  })

/** Whether a request announces a body, which may hold its token. */
export const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Passes a stream on until it exceeds the limit. */
const capped = (): Transform => {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length
      if (bytes > maxAnonymousBytes) done(tooLarge())
      else done(null, chunk)
    },
  })
}

/**
 * Keeps the bodies small of requests that `isAnonymous` names: some routes take many megabytes, which would be held in
 * memory and parsed before the sender is known.
 */
export const limitAnonymousBodies = (app: FastifyInstance, isAnonymous: (request: FastifyRequest) => boolean): void => {
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (!isAnonymous(request) || !hasBody(request)) return payload
    const length = request.headers['content-length']
    if (length === undefined) return payload.pipe(capped())
    if (Number(length) > maxAnonymousBytes) throw tooLarge()
    return payload
  })
}
