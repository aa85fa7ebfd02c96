import type { FastifyRequest } from 'fastify'
import { Problem } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'

/** The refusal of a sign-in because of too many wrong passwords before it. */
export class LockedOut extends Problem {}

const logFailure = (request: FastifyRequest, error: unknown, target: { target_sid?: string }) => {
  if (error instanceof LockedOut) logSecurityEvent(request, 'sign_in_locked', target)
  else if (error instanceof Problem && (error.status === 403 || error.status === 404))
    // What was typed as the name stays out of the log: it is a password often enough.
    logSecurityEvent(request, 'sign_in_failed', {
      ...target,
      reason: target.target_sid ? 'wrong password or inactive user' : 'unknown user',
    })
}

/**
 * Signs a user in and writes to the log how that ended. `setUser` says whose sign-in it is, as soon as that is known.
 */
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
