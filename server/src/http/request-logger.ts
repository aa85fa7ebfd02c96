import type { FastifyBaseLogger } from 'fastify'

type Fields = Record<string, unknown>
type LogParameters = Parameters<FastifyBaseLogger['info']>

const methods = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

type LogMethods = Pick<FastifyBaseLogger, (typeof methods)[number]>

// The methods are added below.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type
export interface RequestLogger extends LogMethods {}

/**
 * The logger of one request. Most requests write only the line of their end, so the child of the app's logger is created when
 * another line is written.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export class RequestLogger implements FastifyBaseLogger {
  private existingChild: FastifyBaseLogger | undefined

  constructor(
    private readonly logger: FastifyBaseLogger,
    readonly fields: Fields,
  ) {}

  get level(): string {
    return this.logger.level
  }

  /** Adds fields to all further lines. */
  addFields(fields: Fields): void {
    Object.assign(this.fields, fields)
    this.existingChild = undefined
  }

  child(...parameters: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.getChild().child(...parameters)
  }

  getChild(): FastifyBaseLogger {
    this.existingChild ??= this.logger.child(this.fields)
    return this.existingChild
  }
}

for (const method of methods)
  RequestLogger.prototype[method] = function (this: RequestLogger, ...parameters: LogParameters) {
    const child = this.getChild()
    child[method](...parameters)
  }
