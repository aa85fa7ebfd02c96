import type { UnconfirmedEmail } from '@trunkline/contract/shapes/registration'
import { Problem } from '../lib/problem'
import { sessionValues } from '../lib/storage'

/** A registration whose e-mail address is not confirmed yet. */
export interface Registration {
  /** The token that can confirm the address. */
  jwt: string
  user_sid: string
  email: string
  /** When the last code was sent, if this browser requested it. */
  codeSentAt?: number
}

/** Returns the registration that the server reports when a user signs in before the address is confirmed. */
export const toUnconfirmedRegistration = (error: unknown): Registration | undefined => {
  if (!(error instanceof Problem) || error.status !== 403) return undefined
  const { jwt, user_sid, email } = (error.body ?? {}) as Partial<UnconfirmedEmail>
  return jwt && user_sid && email ? { jwt, user_sid, email } : undefined
}

/** The shortest time between two codes. The server enforces it too. */
const resendDelayMs = 30_000

/** Stores a registration in this tab, so that it continues after a reload. */
export const storeRegistration = ({ jwt, user_sid, email, codeSentAt }: Registration): void =>
  sessionValues.registration.set(JSON.stringify({ jwt, user_sid, email, codeSentAt }))

export const readRegistration = (): Registration | undefined => {
  try {
    const value = JSON.parse(sessionValues.registration.get() ?? '') as Registration
    return typeof value.jwt === 'string' && typeof value.user_sid === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

export const clearRegistration = (): void => sessionValues.registration.clear()

/** The time from which another code may be requested. */
export const getResendTime = ({ codeSentAt }: Registration): number =>
  codeSentAt === undefined ? 0 : codeSentAt + resendDelayMs

/**
 * Generates the activation code that v1 servers require from the browser. Our server ignores it and mails its own code.
 */
export const generateActivationCode = (): string => {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
  return String(number % 1_000_000).padStart(6, '0')
}
