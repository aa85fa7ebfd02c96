import type { Dependent } from '@trunkline/contract/kit/problem'
import { messages } from '@trunkline/contract/messages/general'
import { addRequestId } from '@trunkline/contract/messages/request-id'

interface ProblemOptions {
  msg?: string
  requestId?: string | undefined
  hasEndedSession?: boolean
  isBackground?: boolean | undefined
}

/** A request that was refused or that failed to reach the server. */
export class Problem extends Error {
  /** The HTTP status. 0: the server is unreachable. */
  readonly status: number
  /** The message for the user. */
  readonly msg: string
  /** The invalid field of the body, by its wire name: `call_hook.url`. */
  readonly field?: string
  /** The records that prevent a deletion. */
  readonly dependents?: Dependent[]
  /** The record does not exist, or was deleted. */
  readonly isGone: boolean
  readonly body: unknown
  /** By which the server's log names the request. Absent if the server sends none. */
  readonly requestId: string | undefined
  /** This error ended the session. The sign-in screen reports it, so no other message is needed. */
  readonly hasEndedSession: boolean
  /** A background request failed. The screen keeps its data and shows how old it is. */
  readonly isBackground: boolean

  constructor(
    status: number,
    body: unknown,
    { msg, requestId, hasEndedSession = false, isBackground = false }: ProblemOptions = {},
  ) {
    const text = msg ?? findMessage(body) ?? getDefaultMessage(status, body)
    super(text)
    this.name = 'Problem'
    this.status = status
    this.msg = text
    this.body = body
    this.requestId = requestId
    this.hasEndedSession = hasEndedSession
    this.isBackground = isBackground
    this.isGone = text === messages.recordGone
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

/** The error message of a response body. Route handlers send it as `msg`, sign-in routes as `error`, others as `message`. */
const findMessage = (body: unknown) => {
  if (!isRecord(body)) return undefined
  return [body.msg, body.error, body.message].find(
    (candidate): candidate is string => typeof candidate === 'string' && candidate !== '',
  )
}

/** Servers often report a missing or forbidden record with only a status, or with its reason phrase. */
const getDefaultMessage = (status: number, body: unknown) => {
  if (status === 404 && (body === undefined || body === 'Not Found')) return messages.recordGone
  if (status === 480) return messages.unavailable
  return status === 403 ? messages.noAccess : messages.failed
}

/**
 * Adds the request ID to a message about an error that only an operator can explain: a 5xx, or a response without a
 * reason. The user can act on other errors.
 */
export const withRequestId = (message: string, error: unknown): string =>
  error instanceof Problem && error.requestId && (error.status >= 500 || error.msg === messages.failed)
    ? addRequestId(message, error.requestId)
    : message

/** The message for the user about any thrown error. Components show its request ID with `ErrorText`. */
export const getErrorMessage = (error: unknown): string =>
  withRequestId(error instanceof Problem ? error.msg : messages.failed, error)
