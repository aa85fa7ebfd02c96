import { messages } from '@trunkline/contract/messages/service-provider'
import { Problem } from '../../lib/problem'

/** A value that must be unique: its form field, the server's name for it, and the message for the user. */
export interface UniqueValue {
  field: string
  /** The column or index in the server's error message. */
  indexName: string
  message: string
}

/** The name of a service provider. Several forms edit it. */
export const uniqueProviderName: UniqueValue = { field: 'name', indexName: 'name', message: messages.duplicateName }

/**
 * Rethrows a duplicate error as an error of its field. The server's own message names database indexes, which users do
 * not know.
 */
export const rethrowDuplicate =
  (...uniqueValues: UniqueValue[]) =>
  (error: unknown): never => {
    const duplicate = error instanceof Problem && /duplicate entry/i.test(error.msg) ? error : undefined
    const uniqueValue = uniqueValues.find(
      ({ field, indexName }) => duplicate?.field === field || duplicate?.msg.includes(indexName),
    )
    if (duplicate && uniqueValue)
      throw new Problem(duplicate.status, { msg: uniqueValue.message, field: uniqueValue.field })
    throw error
  }
