import type { Dependent } from '@trunkline/contract/kit/problem'
import { messages } from '@trunkline/contract/messages/general'

interface Circumstances {
  msg?: string
  hasEndedSession?: boolean
  isPolling?: boolean | undefined
}

/** A call that was refused or did not arrive. */
export class Problem extends Error {
  /** 0: the server could not be reached. */
  readonly status: number
  /** What to tell the person. */
  readonly msg: string
  /** The field of the body that is wrong, by its wire name: `call_hook.url`. */
  readonly field?: string
  /** What uses the record and so keeps it from being deleted. */
  readonly dependents?: Dependent[]
  /** The record is not there, or not any more. */
  readonly gone: boolean
  readonly body: unknown
  /** The session ended over it: the sign-in page says so, nobody else needs to. */
  readonly hasEndedSession: boolean
  /** Nobody waited for the answer: what was known stays on screen, and says how old it is. */
  readonly isPolling: boolean

  constructor(status: number, body: unknown, { msg, hasEndedSession = false, isPolling = false }: Circumstances = {}) {
    const said = msg ?? wordsOf(body) ?? wordless(status, body)
    super(said)
    this.name = 'Problem'
    this.status = status
    this.msg = said
    this.body = body
    this.hasEndedSession = hasEndedSession
    this.isPolling = isPolling
    this.gone = said === messages.gone
    if (isRecord(body)) {
      if (typeof body.field === 'string') this.field = body.field
      if (Array.isArray(body.dependents)) this.dependents = body.dependents.filter(isDependent)
    }
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isDependent = (value: unknown): value is Dependent =>
  isRecord(value) && typeof value.kind === 'string' && typeof value.sid === 'string' && typeof value.title === 'string'

/** Handlers say `msg`, the sign-in family `error`, path gates `message`. */
const wordsOf = (body: unknown) => {
  if (!isRecord(body)) return undefined
  return [body.msg, body.error, body.message].find((each): each is string => typeof each === 'string' && each !== '')
}

/** Of one record servers say with the status alone, or with its phrase, that it is not there or not to be touched. */
const wordless = (status: number, body: unknown) => {
  if (status === 404 && (body === undefined || body === 'Not Found')) return messages.gone
  if (status === 480) return messages.unavailable
  return status === 403 ? messages.noAccess : messages.failed
}

/** What to tell a person about anything that was thrown. */
export const sayProblem = (error: unknown): string => (error instanceof Problem ? error.msg : messages.failed)
