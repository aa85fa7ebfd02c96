import type { FastifyRequest } from 'fastify'
import { Problem } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'

/** The response while sign-in is locked after too many wrong passwords. */
export class LockedOutProblem extends Problem {}

const logFailure = (request: FastifyRequest, error: unknown, target: { target_sid?: string }) => {
  if (error instanceof LockedOutProblem) logSecurityEvent(request, 'sign_in_locked', target)
  else if (error instanceof Problem && (error.status === 403 || error.status === 404))
    // The entered name is not logged, because users sometimes type their password there.
    logSecurityEvent(request, 'sign_in_failed', {
      ...target,
      reason: target.target_sid ? 'wrong password or inactive user' : 'unknown user',
    })
}

/** Runs a sign-in and logs its outcome. `signIn` calls `setUser` as soon as it knows the user. */
export const logSignIn = async <Result>(
  request: FastifyRequest,
  signIn: (setUser: (user: { user_sid: string } | undefined) => void) => Promise<Result>,
): Promise<Result> => {
  let target: { target_sid?: string } = {}
  try {
    const result = await signIn((user) => {
      if (user) target = { target_sid: user.user_sid }
    })
    logSecurityEvent(request, 'sign_in', target)
    return result
  } catch (error) {
    logFailure(request, error, target)
    throw error
  }
}
