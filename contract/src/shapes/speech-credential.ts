import * as z from 'zod'
import { bit, flag, longText, timestamp, optionalSid, text } from '../kit/fields'
import { isStored, type StoredField } from '../speech/credential'
import { vendors } from '../speech/vendors/all'

/** The fields of all vendors by name. Several vendors may share a field name. */
const fields = new Map<string, StoredField>(
  vendors.flatMap((vendor) =>
    vendor.fields.filter(isStored).map((field): [string, StoredField] => [field.name, field]),
  ),
)

const mapFields = <Shape extends z.ZodType>(shape: (field: StoredField) => Shape): Record<string, Shape> =>
  Object.fromEntries([...fields].map(([name, field]) => [name, shape(field)]))

/** Any primitive, even for flags, because other programs write credentials too. */
const displayedValue = () => z.union([z.string(), z.number(), z.boolean()]).nullable().optional()

export const speechCredentialSchema = z.object({
  speech_credential_sid: z.string(),
  service_provider_sid: z.string().nullable(),
  account_sid: z.string().nullable(),
  vendor: z.string(),
  use_for_tts: bit().nullable(),
  use_for_stt: bit().nullable(),
  last_used: timestamp(),
  last_tested: timestamp(),
  tts_tested_ok: bit().nullable(),
  stt_tested_ok: bit().nullable(),
  created_at: timestamp(),
  label: z.string().nullable(),
  /** A Trunkline addition: the name of the account; null if the provider shares the credential. */
  account_name: z.string().nullable().optional(),
  /** The vendor's fields. Secrets are masked. Accounts do not see the fields of their provider's credentials. */
  ...mapFields(displayedValue),
})

/**
 * The vendor fields of a request. Fields of other vendors are accepted and dropped, because clients send all their
 * fields. Required fields are checked together with the stored ones. The column limits the total length.
 */
const vendorFields = mapFields((field) => (field.kind === 'flag' ? flag().nullish() : longText().nullish()))

const flags = { use_for_tts: flag().optional(), use_for_stt: flag().optional() }

export const speechCredentialDraftSchema = z.strictObject({
  /** Ignored: the server assigns the SID. */
  speech_credential_sid: z.unknown().optional(),
  vendor: z
    .string({
      error: ({ code, input }) =>
        // JSON.stringify, because String() throws if the request overrides an object's toString
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

/** Fields that never change. Accepted because clients send whole records back; ignored. */
const ignoredFields = Object.fromEntries(
  Object.keys(speechCredentialSchema.shape)
    .filter((name) => !fields.has(name) && !(name in flags) && name !== 'speech_credential_sid')
    .map((name) => [name, z.unknown().optional()]),
)

export const speechCredentialChangesSchema = z.strictObject({ ...ignoredFields, ...flags, ...vendorFields })

const directionTest = z.object({ status: z.enum(['ok', 'fail', 'not tested']), reason: z.string().optional() })

/** The vendor's test result for each direction. */
export const speechTestSchema = z.object({ tts: directionTest, stt: directionTest })

type VendorFieldValues = Record<string, string | number | boolean | null | undefined>

export interface SpeechCredentialCore {
  speech_credential_sid: string
  service_provider_sid: string | null
  /** null: the provider shares the credential with all its accounts. */
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

/** The core and the vendor's fields by name. */
export type SpeechCredential = SpeechCredentialCore & VendorFieldValues
export type SpeechCredentialDraft = { vendor: string } & VendorFieldValues
export type SpeechCredentialChanges = VendorFieldValues
export type SpeechTest = z.output<typeof speechTestSchema>
export type TestStatus = SpeechTest['tts']['status']
