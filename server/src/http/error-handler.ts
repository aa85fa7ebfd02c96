import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requestIdHeader } from '@trunkline/contract/kit/request-id'
import { messages } from '@trunkline/contract/messages/general'
import { classifyDatabaseError } from '../db/errors'
import { messages as callMessages } from '@trunkline/contract/messages/recent-call'
import { TooManyRecordsError } from '../ports/call-history'
import { UnavailableError } from '../ports/service-errors'
import { QueueFullError } from '../secrets/work-queue'
import { Problem, badRequest, notFound, unprocessable } from './problem'
import { logSecurityEvent } from './security-log'

/**
 * Errors of Fastify and its plugins, with the messages of the API. The status of any other error, as SDKs of storages and
 * vendors throw them, comes from another server and says nothing about the request.
 */
const toFrameworkProblem = (error: FastifyError): Problem | undefined => {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Problem(413, { msg: 'request entity too large' })
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new Problem(415, { msg: 'Unsupported Media Type: send application/json' })
  const status = error.code?.startsWith('FST_') ? error.statusCode : undefined
  return status !== undefined && status >= 400 && status < 500 ? new Problem(status, { msg: error.message }) : undefined
}

/** The body field of a violated unique key. Keys are named after their last column. */
const fieldOf = (index: string, body: unknown): string | undefined =>
  Object.keys(typeof body === 'object' && body !== null ? body : {}).find(
    (name) => index === name || index.endsWith(`_${name}`),
  )

const createRetryLaterProblem = (msg: string) => new Problem(503, { msg }, { 'retry-after': '5' })

/** Database errors that the client caused or that may disappear on retry. */
const toDatabaseProblem = (error: unknown, body: unknown): Problem | undefined => {
  const databaseError = classifyDatabaseError(error)
  if (!databaseError) return undefined
  switch (databaseError.kind) {
    case 'duplicate':
      return unprocessable(databaseError.message, fieldOf(databaseError.index, body))
    case 'foreign_key':
      return unprocessable(databaseError.message)
    case 'data':
      return badRequest(databaseError.message, databaseError.column)
    default:
      return createRetryLaterProblem(databaseError.message)
  }
}

/** The response to an error; undefined for a bug, which becomes a 500. The request is the one that failed, if there is one. */
export const toProblem = (error: unknown, request?: Pick<FastifyRequest, 'body' | 'raw'>): Problem | undefined => {
  if (error instanceof Problem) return error
  // If the client leaves before its body is complete, the error is that of the request's stream.
  if (request && request.raw.errored === error) return badRequest('request aborted')
  if (error instanceof UnavailableError) return createRetryLaterProblem(error.message)
  if (error instanceof QueueFullError) return createRetryLaterProblem(error.message)
  if (error instanceof TooManyRecordsError) return badRequest(callMessages.tooMany)
  return toDatabaseProblem(error, request?.body) ?? toFrameworkProblem(error as FastifyError)
}

const sendProblem = (reply: FastifyReply, { status, body, headers }: Problem): void => {
  // The same identifier is in the log, as `reqId`.
  void reply.code(status).header(requestIdHeader, reply.request.id).headers(headers)
  if (typeof body === 'object') void reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
  else if (body === undefined) void reply.send()
  else void reply.type('text/plain; charset=utf-8').send(body)
}

/** Turns every thrown error into a response, and logs server errors. */
export const handleErrors = (app: FastifyInstance): void => {
  app.setErrorHandler((error, request: FastifyRequest, reply) => {
    const problem = toProblem(error, request)
    // A flood of requests must not flood the log too. The request line has the status.
    const isServerError = !problem || (problem.status >= 500 && !(error instanceof QueueFullError))
    if (isServerError) request.log.error({ err: error }, 'request failed')
    if (problem?.status === 403 && request.actor)
      logSecurityEvent(request, 'access_refused', { reason: problem.message })
    sendProblem(reply, problem ?? new Problem(500, { msg: messages.failed }))
  })
}

/** A malformed URL reaches no route and no hook. The response has no details, as for a malformed SID. */
export const sendMalformedUrl = (_: FastifyError, __: FastifyRequest, reply: FastifyReply) =>
  sendProblem(reply.header('access-control-allow-origin', '*'), badRequest('Bad request'))

export const sendNotFound = (_: FastifyRequest, reply: FastifyReply) => sendProblem(reply, notFound())
