import { messages } from '@trunkline/contract/messages/registration'
import type { UnconfirmedEmail } from '@trunkline/contract/shapes/registration'
import { Problem } from '../../http/problem'
import { verifyPassword } from '../../secrets/password'
import type { Services } from '../../composition/services'
import { openRegistrationSession } from './session'

type SignInServices = Pick<Services, 'registrations' | 'sessions' | 'hostedEdition' | 'passwordCost'>

/**
 * Finds the response to a sign-in with the password of a registration whose address is not confirmed. Call it after the
 * password of the user with this name was wrong: the response must not depend on whether the address belongs to a user.
 */
export const findUnconfirmedSignIn = async (
  services: SignInServices,
  { username, password }: { username: string; password: string },
): Promise<Problem | undefined> => {
  const { registrations, hostedEdition, passwordCost } = services
  if (!hostedEdition) return undefined
  const registration = await registrations.findByEmail(username.trim())
  // Without a registration, the computation takes the same time.
  if (!(await verifyPassword(registration?.hashed_password, password, passwordCost)) || !registration) return undefined
  const { user_sid, account_sid, email } = registration
  const jwt = await openRegistrationSession(services, registration)
  return new Problem(403, {
    msg: messages.unconfirmedEmail,
    jwt,
    user_sid,
    account_sid,
    email,
  } satisfies UnconfirmedEmail)
}
