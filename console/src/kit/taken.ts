import { messages } from '@trunkline/contract/messages/service-provider'
import { Problem } from '../lib/problem'

/** A value that must be unique: the field it is typed into, what the server calls it, and what to tell a person. */
export interface Unique {
  field: string
  /** The column or index that the server names. */
  sign: string
  message: string
}

/** The name of a service provider, wherever it is given. */
export const providerName: Unique = { field: 'name', sign: 'name', message: messages.nameTaken }

/** A duplicate is refused in the words of the server's database; this throws it on as a sentence on its field. */
export const sayTaken =
  (...uniques: Unique[]) =>
  (error: unknown): never => {
    const duplicate = error instanceof Problem && /duplicate entry/i.test(error.msg) ? error : undefined
    const found = uniques.find(({ field, sign }) => duplicate?.field === field || duplicate?.msg.includes(sign))
    if (duplicate && found) throw new Problem(duplicate.status, { msg: found.message, field: found.field })
    throw error
  }
