import { messages } from '@trunkline/contract/messages/refusal'
import { badRequest, conflict, unprocessable } from '../http/problem'

/** 400: the SID refers to no record, or to one that the actor may not use. `path` is the field's path in the body. */
export const unknownReference = (field: string, path = field) => badRequest(messages.unknown(field), path)

export const missingField = (field: string) => badRequest(messages.missing(field), field)

export const immutableField = (field: string) => badRequest(messages.immutable(field), field)

export const insufficientPrivileges = () => badRequest(messages.insufficientPrivileges)

/** 400: an application can only be chosen for a record in an account. */
export const accountMissing = () => badRequest(messages.accountMissing, 'account_sid')

export const accountNotFound = (account_sid: string) => badRequest(messages.accountNotFound(account_sid))

/** 422 with the message of a duplicate key, for values that the database does not require to be unique. */
export const duplicate = (value: string, field: string) => unprocessable(messages.duplicate(value, field), field)

export const samePassword = (field: string) => badRequest(messages.samePassword, field)

/** 409: a parallel request has changed the values that the rules were checked with. */
export const changedMeanwhile = () => conflict(messages.changedMeanwhile)
