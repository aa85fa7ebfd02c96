import {
  getAwsCredentialType,
  getBucketFields,
  defaultAwsRegion,
  findMissingField,
  type BucketCredential,
  type BucketTag,
} from '@trunkline/contract/calls/bucket'
import { findServiceKeyError } from '@trunkline/contract/cloud/service-key'
import type { Account } from '@trunkline/contract/shapes/account'
import type { BucketDraft } from '@trunkline/contract/shapes/bucket'

const textFields = [
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
type TextField = (typeof textFields)[number]

const secretFields: readonly string[] = ['secret_access_key', 'service_key', 'connection_string']

/** The form values of an account's bucket. Secret fields start empty; an empty one keeps the saved secret. */
export type BucketValues = { vendor: string | null; tags: BucketTag[] } & Record<TextField, string>

const isTag = (tag: unknown): tag is BucketTag =>
  typeof tag === 'object' && tag !== null && 'Key' in tag && 'Value' in tag

const parseTags = (tags: unknown): BucketTag[] => (Array.isArray(tags) ? tags.filter(isTag) : [])

/** The stored bucket of an account, with masked secrets; null if there is none. */
export const readStoredBucket = (record: Account | undefined): BucketCredential | null => {
  const bucket = record?.bucket_credential
  if (typeof bucket?.vendor !== 'string' || bucket.vendor === '' || bucket.vendor === 'none') return null
  const { vendor, tags } = bucket
  const entries = textFields
    .map((field) => [field, bucket[field]] as const)
    .filter(([, value]) => typeof value === 'string')
  return { vendor, ...(Object.fromEntries(entries) as Partial<Record<TextField, string>>), tags: parseTags(tags) }
}

const toTextValues = (bucket: BucketCredential | null): Record<TextField, string> => {
  const entries = textFields.map(
    (field) => [field, secretFields.includes(field) ? '' : (bucket?.[field] ?? '')] as const,
  )
  return Object.fromEntries(entries) as Record<TextField, string>
}

/** Returns the form values of a stored bucket. */
export const toBucketValues = (storedBucket: BucketCredential | null): BucketValues => ({
  vendor: storedBucket?.vendor ?? null,
  ...toTextValues(storedBucket),
  credential_type: getAwsCredentialType(storedBucket ?? {}),
  tags: storedBucket?.tags ?? [],
})

/**
 * Returns the field values after a change of vendor: the stored ones if they belong to that vendor, otherwise the
 * defaults.
 */
export const getVendorFieldValues = (
  vendor: string | null,
  storedBucket: BucketCredential | null,
): Record<TextField, string> => {
  const {
    tags: _tags,
    vendor: _vendor,
    ...fields
  } = toBucketValues(vendor === storedBucket?.vendor ? storedBucket : null)
  return { ...fields, region: fields.region || (vendor === 'aws_s3' ? defaultAwsRegion : '') }
}

/** Returns the masked secret that is saved for this vendor. Sent back unchanged, it means "keep the stored secret". */
export const getSavedSecret = (
  values: Pick<BucketValues, 'vendor'>,
  storedBucket: BucketCredential | null,
  field: TextField,
) => (storedBucket !== null && values.vendor === storedBucket.vendor ? (storedBucket[field] ?? '') : '')

/** Returns the request body: only the fields that the chosen vendor needs. */
export const toBucketBody = (values: BucketValues, storedBucket: BucketCredential | null): BucketDraft => {
  const { vendor, credential_type, tags } = values
  const bucketForm = vendor === null ? undefined : getBucketFields({ vendor, credential_type })
  if (vendor === null || !bucketForm) return { vendor: 'none' }
  const fieldNames = [...Object.keys(bucketForm.required), ...bucketForm.optional]
  const entries = textFields
    .filter((field) => fieldNames.includes(field))
    .map((field) => [
      field,
      values[field].trim() || (secretFields.includes(field) ? getSavedSecret(values, storedBucket, field) : ''),
    ])
    .filter(([, value]) => value)
  return { vendor, ...Object.fromEntries(entries), ...(tags.length > 0 ? { tags } : {}) } as BucketDraft
}

/** Returns whether the body relies on a saved secret that was not entered again. */
export const reusesSecret = (values: BucketValues, body: BucketDraft): boolean =>
  secretFields.some((field) => Boolean(body[field]) && values[field as TextField] === '')

/** Checks the format of a new key file. An empty value keeps the stored file, which was checked when it was saved. */
const hasValidKeyFile = ({ vendor, service_key }: BucketValues) =>
  vendor !== 'google' || service_key === '' || findServiceKeyError(service_key) === undefined

/** Returns whether the body has all values that a test needs, and the key file is valid. */
export const isTestable = (values: BucketValues, body: BucketDraft): boolean => {
  const { vendor, name, tags } = body as BucketCredential
  const isComplete =
    getBucketFields(body as BucketCredential) !== undefined && !findMissingField(body as BucketCredential)
  const hasCompleteTags = (tags ?? []).every(({ Key, Value }) => Key && Value)
  return isComplete && Boolean(name) && vendor !== 'none' && hasCompleteTags && hasValidKeyFile(values)
}
