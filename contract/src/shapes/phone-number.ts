import { z } from 'zod'
import { optionalSid, sid, unchangedSid } from '../kit/fields'

export const row = z.object({
  phone_number_sid: z.string(),
  number: z.string(),
  voip_carrier_sid: z.string().nullable(),
  account_sid: z.string().nullable(),
  application_sid: z.string().nullable(),
  service_provider_sid: z.string().nullable(),
  /** Ours: names of what the row points at, so that a list needs no further request. */
  account_name: z.string().nullable().optional(),
  application_name: z.string().nullable().optional(),
  voip_carrier_name: z.string().nullable().optional(),
})

/** Said of what is no text; what is wrong with a text is said by its own rule. */
const numberTypeError = ({ code, input }: { code?: string; input?: unknown }) => {
  if (code !== 'invalid_type') return undefined
  return input === undefined || input === null ? 'number is required' : 'number must be text'
}

const number = z
  .string({ error: numberTypeError })
  .min(1, 'number is required')
  .max(132)
  .regex(/^\S*$/, 'number cannot contain whitespace')

export const create = z.strictObject({
  number,
  voip_carrier_sid: optionalSid((sid) => `voip_carrier not found for sid ${sid}`),
  account_sid: optionalSid(),
  application_sid: optionalSid(),
  service_provider_sid: optionalSid(),
})

/** The number and its carrier never change: they are named here only to be refused with the wire's own words. */
export const update = z.strictObject({
  number: z.string().nullish(),
  voip_carrier_sid: z.string().nullish(),
  account_sid: unchangedSid(),
  application_sid: optionalSid(),
  service_provider_sid: optionalSid(),
})

/** Ours: one application for many numbers, all of them or none. */
export const assignBody = z.strictObject({
  phone_number_sids: z.array(sid()).min(1, 'choose at least one phone number').max(10000),
  application_sid: sid().nullable(),
})

export const assignResponse = z.object({ changed: z.number() })

/** A row of an import: the keys of a new number. What it does not name stays as it is where the number is there already. */
const importedRow = z.record(z.string(), z.string().max(255).nullable())

/** Ours: many numbers at once, looked at first (`nothing`), then written: the good ones, or all or none. */
export const importBody = z.strictObject({
  rows: z.array(importedRow).min(1, 'there are no rows').max(50_000),
  write: z.enum(['nothing', 'valid', 'all']),
})

const rowOutcome = z.object({
  fate: z.enum(['add', 'change', 'same', 'wrong']),
  /** What is wrong, and with which key. */
  msg: z.string().optional(),
  field: z.string().optional(),
})

/** What becomes of each row, in their order, and how many were written. */
export const importResponse = z.object({ fates: z.array(rowOutcome), written: z.number() })

export type Import = z.input<typeof importBody>
export type ImportResponse = z.output<typeof importResponse>
export type ImportOutcome = z.output<typeof rowOutcome>
export type PhoneNumber = z.output<typeof row>
export type PhoneNumberDraft = z.input<typeof create>
export type PhoneNumberChanges = z.input<typeof update>
export type Assignment = z.input<typeof assignBody>
