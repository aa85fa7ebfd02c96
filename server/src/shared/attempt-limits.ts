import { messages } from '@trunkline/contract/messages/registration'
import { Problem } from '../http/problem'

/** Throws 429 if a subject has to wait. `waitSeconds` comes from the attempt counts. */
export const refuseWhileWaiting = (
  waitSeconds: number,
  message: (seconds: number) => string = () => messages.tooManyRequests,
): void => {
  if (waitSeconds > 0) throw new Problem(429, { msg: message(waitSeconds) }, { 'retry-after': String(waitSeconds) })
}
