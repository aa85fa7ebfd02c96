import type { Dependent, ProblemBody } from '@trunkline/contract/kit/problem'
import type { Refusal } from '@trunkline/contract/policy/refusal'

/** An error response. `body` is sent as JSON if it is an object, and as plain text if it is a string. */
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

const problem = (status: number, msg: string, details: Omit<ProblemBody, 'msg'> = {}) =>
  new Problem(status, { msg, ...details })

/** 400: the request itself is wrong. */
export const badRequest = (msg: string, field?: string) => problem(400, msg, field ? { field } : {})

/** 422: a rule forbids it. */
export const unprocessable = (msg: string, field?: string) => problem(422, msg, field ? { field } : {})

/** 409: the record has changed since the client read it. */
export const conflict = (msg: string) => problem(409, msg)

/** 422 with the records that prevent a deletion. */
export const inUse = (msg: string, dependents: Dependent[], status = 422) => problem(status, msg, { dependents })

export const forbidden = (msg?: string, field?: string) =>
  msg ? problem(403, msg, field ? { field } : {}) : new Problem(403, 'Forbidden')

/** 404 without a body, as clients expect it when they read one record. */
export const notFoundWithoutBody = () => new Problem(404)

/** 404 with the status phrase as text. */
export const notFound = () => new Problem(404, 'Not Found')

/** The error response of the tenant check. Existing clients read `message`, our console reads `msg`. */
export const tenantAccessProblem = (status: 400 | 403, message: string) =>
  new Problem(status, { status: 'fail', message, msg: message })

/** The response for a foreign record. Without a refusal it is `fallback`: the record looks as if it did not exist. */
export const refusalProblem = (refusal: Refusal | undefined, fallback: () => Problem = notFound): Problem => {
  if (!refusal) return fallback()
  const statusTexts = { 400: 'Bad Request', 403: 'Forbidden', 422: 'Unprocessable Entity' }
  return refusal.msg ? problem(refusal.status, refusal.msg) : new Problem(refusal.status, statusTexts[refusal.status])
}
