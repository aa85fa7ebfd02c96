import * as z from 'zod'
import { noNulPattern, optionalSid, sid, unchangedSid } from '../kit/fields'

export const phoneNumberSchema = z.object({
  phone_number_sid: z.string(),
  number: z.string(),
  voip_carrier_sid: z.string().nullable(),
  account_sid: z.string().nullable(),
  application_sid: z.string().nullable(),
  service_provider_sid: z.string().nullable(),
  /** Trunkline additions: the names of the linked records, so that a list needs no second request. */
  account_name: z.string().nullable().optional(),
  application_name: z.string().nullable().optional(),
  voip_carrier_name: z.string().nullable().optional(),
})

/** The message for a value that is not a string. Strings are checked by the rules below. */
const numberTypeError = ({ code, input }: { code?: string; input?: unknown }) => {
  if (code !== 'invalid_type') return undefined
  return input === undefined || input === null ? 'number is required' : 'number must be text'
}

const number = z
  .string({ error: numberTypeError })
  .min(1, 'number is required')
  .max(132)
  .regex(/^\S*$/, 'number cannot contain whitespace')
  .regex(noNulPattern)

export const phoneNumberDraftSchema = z.strictObject({
  number,
  voip_carrier_sid: optionalSid((sid) => `voip_carrier not found for sid ${sid}`),
  account_sid: optionalSid(),
  application_sid: optionalSid(),
  service_provider_sid: optionalSid(),
})

/** The number and its carrier never change. They are declared only so that the API's own messages refuse them. */
export const phoneNumberChangesSchema = z.strictObject({
  number: z.string().nullish(),
  voip_carrier_sid: z.string().nullish(),
  account_sid: unchangedSid(),
  application_sid: optionalSid(),
  service_provider_sid: optionalSid(),
})

/** A Trunkline addition: assigns one application to many numbers. */
export const assignmentSchema = z.strictObject({
  phone_number_sids: z.array(sid()).min(1, 'choose at least one phone number').max(10000),
  application_sid: sid().nullable(),
})

/** `unknown_sids`: the requested numbers that do not exist, or that the actor may not change. */
export const assignmentResponseSchema = z.object({ changed: z.number(), unknown_sids: z.array(z.string()) })

/** A row of an import, with the keys of a new number. For an existing number, missing keys stay unchanged. */
const importedRow = z.record(z.string(), z.string().max(255).nullable())

/**
 * A Trunkline addition: imports many numbers. `write`: `nothing` only checks the rows, `valid` writes the valid rows,
 * `all` writes every row or none.
 */
export const importSchema = z.strictObject({
  rows: z.array(importedRow).min(1, 'there are no rows').max(50_000),
  write: z.enum(['nothing', 'valid', 'all']),
})

const importOutcomeSchema = z.object({
  fate: z.enum(['add', 'change', 'same', 'wrong']),
  /** The error, and the key that caused it. */
  msg: z.string().optional(),
  field: z.string().optional(),
})

/** The outcome of each row, in the order of the request, and the number of rows written. */
export const importResponseSchema = z.object({ fates: z.array(importOutcomeSchema), written: z.number() })

export type Import = z.input<typeof importSchema>
export type ImportResponse = z.output<typeof importResponseSchema>
export type ImportOutcome = z.output<typeof importOutcomeSchema>
export type PhoneNumber = z.output<typeof phoneNumberSchema>
export type PhoneNumberDraft = z.input<typeof phoneNumberDraftSchema>
export type PhoneNumberChanges = z.input<typeof phoneNumberChangesSchema>
export type Assignment = z.input<typeof assignmentSchema>
export type AssignmentResponse = z.output<typeof assignmentResponseSchema>
