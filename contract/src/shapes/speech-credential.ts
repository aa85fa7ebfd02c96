import { z } from 'zod'
import { bit, flag, longText, moment, optionalSid, text } from '../kit/fields'
import { isStored, type StoredField } from '../speech/credential'
import { vendors } from '../speech/vendors/all'

/** The fields of all vendors, by name. Several vendors may have one of the same name. */
const fields = new Map<string, StoredField>(
  vendors.flatMap((vendor) =>
    vendor.fields.filter(isStored).map((field): [string, StoredField] => [field.name, field]),
  ),
)

const forEachField = <Shape extends z.ZodType>(shape: (field: StoredField) => Shape): Record<string, Shape> =>
  Object.fromEntries([...fields].map(([name, field]) => [name, shape(field)]))

/** Other programs write credentials too: a flag may be anything there. */
const displayedValue = () => z.union([z.string(), z.number(), z.boolean()]).nullable().optional()

export const row = z.object({
  speech_credential_sid: z.string(),
  service_provider_sid: z.string().nullable(),
  account_sid: z.string().nullable(),
  vendor: z.string(),
  use_for_tts: bit().nullable(),
  use_for_stt: bit().nullable(),
  last_used: moment(),
  last_tested: moment(),
  tts_tested_ok: bit().nullable(),
  stt_tested_ok: bit().nullable(),
  created_at: moment(),
  label: z.string().nullable(),
  /** Ours: the name of the account that alone may use it. */
  account_name: z.string().nullable().optional(),
  /** The vendor's fields: secrets obscured, and those of a provider left out for its accounts. */
  ...forEachField(displayedValue),
})

/**
 * Vendors' fields in a body: of any vendor, because clients send all they have. What a vendor does not know is left out,
 * and what it needs is checked where the stored ones are known. How long they may be together, the column decides.
 */
const vendorFields = forEachField((field) => (field.kind === 'flag' ? flag().nullish() : longText().nullish()))

const flags = { use_for_tts: flag().optional(), use_for_stt: flag().optional() }

export const create = z.strictObject({
  /** The server's own is put over it. */
  speech_credential_sid: z.unknown().optional(),
  vendor: z
    .string({
      error: ({ code, input }) =>
        // JSON: an object may say itself how it becomes text, and fail at it
        code === 'invalid_type' ? `invalid or missing vendor: ${JSON.stringify(input)}` : undefined,
    })
    .trim()
    .max(32),
  label: text(64).trim().nullish(),
  account_sid: optionalSid(),
  service_provider_sid: optionalSid(),
  ...flags,
  ...vendorFields,
})

/** What never changes may come along in a body that repeats a whole record. */
const ignoredFields = Object.fromEntries(
  Object.keys(row.shape)
    .filter((name) => !fields.has(name) && !(name in flags) && name !== 'speech_credential_sid')
    .map((name) => [name, z.unknown().optional()]),
)

export const update = z.strictObject({ ...ignoredFields, ...flags, ...vendorFields })

const directionTest = z.object({ status: z.enum(['ok', 'fail', 'not tested']), reason: z.string().optional() })

/** How a vendor took to a credential, for each direction. */
export const test = z.object({ tts: directionTest, stt: directionTest })

type Fields = Record<string, string | number | boolean | null | undefined>

export interface SpeechCredentialCore {
  speech_credential_sid: string
  service_provider_sid: string | null
  /** null: its provider keeps it for all accounts. */
  account_sid: string | null
  vendor: string
  use_for_tts: number | null
  use_for_stt: number | null
  last_used: string | null
  last_tested: string | null
  tts_tested_ok: number | null
  stt_tested_ok: number | null
  created_at: string | null
  label: string | null
  account_name?: string | null
}

/** The core, and the fields of its vendor by name. */
export type SpeechCredential = SpeechCredentialCore & Fields
export type SpeechCredentialDraft = { vendor: string } & Fields
export type SpeechCredentialChanges = Fields
export type SpeechTest = z.output<typeof test>
export type TestStatus = SpeechTest['tts']['status']
