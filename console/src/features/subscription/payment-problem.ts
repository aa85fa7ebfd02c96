import { messages } from '@trunkline/contract/messages/general'
import { Problem, getErrorMessage } from '../../lib/problem'

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** The message of a refused payment. V1 servers pass the error of the payment provider on, which nests it. */
export const getPaymentErrorText = (error: unknown): string => {
  if (!(error instanceof Problem) || error.status !== 402) return getErrorMessage(error)
  if (error.msg !== messages.failed) return error.msg
  const body = asObject(error.body)
  const nested = [asObject(body.error).message, asObject(body.raw).message]
  return nested.find((text): text is string => typeof text === 'string') ?? messages.failed
}

/** Whether the server may have carried out a request that failed. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof Problem && !error.hasEndedSession && (error.status === 0 || error.status >= 500)

export const hasEndedSession = (error: unknown): boolean => error instanceof Problem && error.hasEndedSession
