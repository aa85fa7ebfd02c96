import {
  awsCredentialType,
  bucketForm,
  defaultAwsRegion,
  findMissingField,
  type BucketCredential,
  type BucketTag,
} from '@trunkline/contract/calls/bucket'
import { serviceKeyError } from '@trunkline/contract/cloud/service-key'
import type { Account } from '@trunkline/contract/shapes/account'
import type { BucketDraft } from '@trunkline/contract/shapes/bucket'

const texts = [
  'name',
  'region',
  'endpoint',
  'credential_type',
  'access_key_id',
  'secret_access_key',
  'role_arn',
  'service_key',
  'connection_string',
] as const
type Text = (typeof texts)[number]

const secrets: readonly string[] = ['secret_access_key', 'service_key', 'connection_string']

/** The form values of an account's bucket. Secret fields start empty; an empty one keeps the saved secret. */
export type BucketValues = { vendor: string | null; tags: BucketTag[] } & Record<Text, string>

const isTag = (tag: unknown): tag is BucketTag =>
  typeof tag === 'object' && tag !== null && 'Key' in tag && 'Value' in tag

const asTags = (tags: unknown): BucketTag[] => (Array.isArray(tags) ? tags.filter(isTag) : [])

/** The stored bucket of an account, with masked secrets; null if there is none. */
export const storedBucket = (record: Account | undefined): BucketCredential | null => {
  const found = record?.bucket_credential
  if (typeof found?.vendor !== 'string' || found.vendor === '' || found.vendor === 'none') return null
  const { vendor, tags } = found
  const parts = texts.map((part) => [part, found[part]] as const).filter(([, value]) => typeof value === 'string')
  return { vendor, ...(Object.fromEntries(parts) as Partial<Record<Text, string>>), tags: asTags(tags) }
}

const textsOf = (bucket: BucketCredential | null): Record<Text, string> => {
  const parts = texts.map((part) => [part, secrets.includes(part) ? '' : (bucket?.[part] ?? '')] as const)
  return Object.fromEntries(parts) as Record<Text, string>
}

/** Returns the form values of a stored bucket. */
export const bucketValues = (stored: BucketCredential | null): BucketValues => ({
  vendor: stored?.vendor ?? null,
  ...textsOf(stored),
  credential_type: awsCredentialType(stored ?? {}),
  tags: stored?.tags ?? [],
})

/**
 * Returns the field values after a change of vendor: the stored ones if they belong to that vendor, otherwise the
 * defaults.
 */
export const partsFor = (vendor: string | null, stored: BucketCredential | null): Record<Text, string> => {
  const { tags: _tags, vendor: _vendor, ...parts } = bucketValues(vendor === stored?.vendor ? stored : null)
  return { ...parts, region: parts.region || (vendor === 'aws_s3' ? defaultAwsRegion : '') }
}

/** Returns the masked secret that is saved for this vendor. Sent back unchanged, it means "keep the stored secret". */
export const savedSecret = (values: Pick<BucketValues, 'vendor'>, stored: BucketCredential | null, part: Text) =>
  stored !== null && values.vendor === stored.vendor ? (stored[part] ?? '') : ''

/** Returns the request body: only the fields that the chosen vendor needs. */
export const bucketBody = (values: BucketValues, stored: BucketCredential | null): BucketDraft => {
  const { vendor, credential_type, tags } = values
  const form = vendor === null ? undefined : bucketForm({ vendor, credential_type })
  if (vendor === null || !form) return { vendor: 'none' }
  const wanted = [...Object.keys(form.required), ...form.optional]
  const parts = texts
    .filter((part) => wanted.includes(part))
    .map((part) => [part, values[part].trim() || (secrets.includes(part) ? savedSecret(values, stored, part) : '')])
    .filter(([, value]) => value)
  return { vendor, ...Object.fromEntries(parts), ...(tags.length > 0 ? { tags } : {}) } as BucketDraft
}

/** Returns whether the body relies on a saved secret that was not entered again. */
export const reusesSecret = (values: BucketValues, body: BucketDraft): boolean =>
  secrets.some((part) => Boolean(body[part]) && values[part as Text] === '')

/** A key file that was not replaced is stored and valid; the server returns it masked. */
const hasValidKeyFile = ({ vendor, service_key }: BucketValues) =>
  vendor !== 'google' || service_key === '' || serviceKeyError(service_key) === undefined

/** Returns whether the body has everything a test needs, and the key file is readable. */
export const isTestable = (values: BucketValues, body: BucketDraft): boolean => {
  const { vendor, name, tags } = body as BucketCredential
  const complete = bucketForm(body as BucketCredential) !== undefined && !findMissingField(body as BucketCredential)
  const hasTags = (tags ?? []).every(({ Key, Value }) => Key && Value)
  return complete && Boolean(name) && vendor !== 'none' && hasTags && hasValidKeyFile(values)
}
