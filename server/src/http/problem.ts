import type { Dependent, ProblemBody } from '@trunkline/contract/kit/problem'
import type { Refusal } from '@trunkline/contract/policy/refusal'

/** A refusal on its way out. `body` is JSON when it is an object, plain text when it is text, and absent when there is none. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly body?: object | string,
    readonly headers: Record<string, string> = {},
  ) {
    super(
      typeof body === 'object' && 'msg' in body
        ? String(body.msg)
        : typeof body === 'string'
          ? body
          : `status ${status}`,
    )
  }
}

const problem = (status: number, msg: string, more: Omit<ProblemBody, 'msg'> = {}) =>
  new Problem(status, { msg, ...more })

/** 400: the request itself is wrong. */
export const badRequest = (msg: string, field?: string) => problem(400, msg, field ? { field } : {})

/** 422: understood, but a rule stands against it. */
export const unprocessable = (msg: string, field?: string) => problem(422, msg, field ? { field } : {})

/** 409: somebody else has changed it since it was read. */
export const conflict = (msg: string) => problem(409, msg)

/** 422 with what stands in the way of a deletion. */
export const inUse = (msg: string, dependents: Dependent[], status = 422) => problem(status, msg, { dependents })

export const forbidden = (msg?: string, field?: string) =>
  msg ? problem(403, msg, field ? { field } : {}) : new Problem(403, 'Forbidden')

/** 404 without a body, as readers of one record expect it. */
export const notFoundWithoutBody = () => new Problem(404)

/** 404 with the status phrase as text. */
export const notFound = () => new Problem(404, 'Not Found')

/** The refusal of a path's gate, which existing clients know by `message` and ours shows by `msg`. */
export const gateProblem = (status: 400 | 403, message: string) =>
  new Problem(status, { status: 'fail', message, msg: message })

/** A foreign record's refusal; without one the record looks absent. */
export const refusalProblem = (refusal: Refusal | undefined, fallback: () => Problem = notFound): Problem => {
  if (!refusal) return fallback()
  const phrases = { 400: 'Bad Request', 403: 'Forbidden', 422: 'Unprocessable Entity' }
  return refusal.msg ? problem(refusal.status, refusal.msg) : new Problem(refusal.status, phrases[refusal.status])
}
