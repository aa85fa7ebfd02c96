import {
  LogController,
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import { RequestLogger } from './request-logger'

/** Logs one line per request at its end, when the actor is known. */
export class RequestLog extends LogController {
  private lineLogger: FastifyBaseLogger | undefined

  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const line = { req: request, res: reply, responseTime: reply.elapsedTime }
    const { log } = reply
    if (error) log.error({ ...line, err: error }, 'request failed')
    else if (log instanceof RequestLogger)
      this.getLineLogger(request).info({ ...log.fields, ...line }, 'request completed')
    else log.info(line, 'request completed')
  }

  /** The line contains no secrets (`loggableUrl`), so the search for them is omitted. */
  private getLineLogger({ server }: FastifyRequest): FastifyBaseLogger {
    this.lineLogger ??= server.log.child({}, { redact: [] })
    return this.lineLogger
  }
}

/** Creates the logger of a request. A route with other options, such as a level, gets a child of the app's logger. */
export const createRequestLogger: NonNullable<FastifyServerOptions['childLoggerFactory']> = (
  logger,
  bindings,
  options,
) => (Object.keys(options).length > 0 ? logger.child(bindings, options) : new RequestLogger(logger, bindings))
