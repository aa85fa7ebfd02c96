import { getBucketFields, isAwsRegion, findMissingField, type BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Store } from '../../db/repository'
import { badRequest, forbidden, unprocessable } from '../../http/problem'
import type { SecretEncryption } from '../../secrets/encryption'
import { looksObscured, isServiceKeyObscured } from '../../secrets/obscure'

/** Size of the column `accounts.bucket_credential` in characters. */
const maxCiphertextLength = 8192

const emptyCredential: BucketCredential = { vendor: '' }

const maskChecks: Record<string, (text: string) => boolean> = {
  secret_access_key: looksObscured,
  connection_string: looksObscured,
  service_key: isServiceKeyObscured,
}

/** Whether the value is a masked secret that this server returned earlier. */
const isMasked = (name: string, input: unknown) => typeof input === 'string' && (maskChecks[name]?.(input) ?? false)

/** Whether both credentials are for the same bucket and identity. Tags may differ. */
const isSameBucket = (first: BucketCredential, second: BucketCredential) =>
  (['vendor', 'credential_type', 'name', 'region'] as const).every((field) => first[field] === second[field])

/**
 * The server's own AWS identity may have access to buckets of other accounts, so only administrators may choose a
 * bucket for it. Other users may only repeat the administrator's choice.
 */
const checkInstanceProfile = (credential: BucketCredential, current: BucketCredential, actor: Actor) => {
  if (credential.credential_type !== 'instance_profile' || actor.scope === 'admin') return
  if (!isSameBucket(credential, current)) throw forbidden(messages.instanceProfile, 'bucket_credential.credential_type')
}

/** Refuses an unknown AWS region, unless it is the stored one. */
const checkRegion = ({ vendor, region }: BucketCredential, current: BucketCredential) => {
  if (vendor === 'aws_s3' && region && region !== current.region && !isAwsRegion(region))
    throw badRequest(messages.unknownRegion, 'bucket_credential.region')
}

/** The normalized endpoint URL. Undefined for vendors without an endpoint of the user's choice. */
const endpointOf = ({ vendor, endpoint }: BucketCredential): string | undefined => {
  // The SDKs of the other vendors know their hosts, and a connection string contains both URL and secret.
  if (vendor !== 's3_compatible') return undefined
  return endpoint && URL.canParse(endpoint) ? new URL(endpoint).href : (endpoint ?? '')
}

/**
 * Refuses to use a stored secret with another endpoint: the server there would receive requests signed with a secret
 * that the actor may not know.
 */
const checkEndpointOfStoredSecret = (
  input: BucketCredential,
  credential: BucketCredential,
  current: BucketCredential,
) => {
  const endpointUrl = endpointOf(credential)
  if (endpointUrl === undefined || endpointUrl === endpointOf(current)) return
  if (isMasked('secret_access_key', input.secret_access_key))
    throw unprocessable(messages.reenterSecret, 'bucket_credential.secret_access_key')
}

/** The credentials of the buckets to which accounts upload recordings. */
export const createBucketCredentialRepository = ({ database: { db } }: Store, encryption: SecretEncryption) => {
  const readStoredCredential = async (account_sid: string): Promise<BucketCredential> => {
    const row = await db
      .selectFrom('accounts')
      .select('bucket_credential')
      .where('account_sid', '=', account_sid)
      .executeTakeFirst()
    const decryption = row?.bucket_credential ? encryption.decryptJson(row.bucket_credential) : undefined
    return decryption?.ok ? { ...emptyCredential, ...decryption.value } : emptyCredential
  }

  /**
   * Returns the input with only the fields of its vendor, and with the stored secrets in place of masked ones. Throws 400
   * if a field is missing.
   */
  const resolveCredential = (input: BucketCredential, current: BucketCredential, actor: Actor): BucketCredential => {
    const form = getBucketFields(input)
    if (!form) throw badRequest(messages.unknownVendor(input.vendor), 'bucket_credential.vendor')
    const fields = [...Object.keys(form.required), ...form.optional] as (keyof BucketCredential)[]
    const values = fields.map(
      (field) => [field, isMasked(field, input[field]) ? current[field] : input[field]] as const,
    )
    const credential = {
      vendor: input.vendor,
      ...Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null && value !== '')),
    }
    const missingField = findMissingField(credential)
    if (missingField) throw badRequest(missingField.msg, `bucket_credential.${missingField.field}`)
    checkRegion(credential, current)
    checkInstanceProfile(credential, current, actor)
    checkEndpointOfStoredSecret(input, credential, current)
    return credential
  }

  return {
    /** The credential of an account's bucket. Undefined if it has none. */
    async find(account_sid: string): Promise<BucketCredential | undefined> {
      const credential = await readStoredCredential(account_sid)
      return credential.vendor === '' ? undefined : credential
    },

    /** Returns the encrypted credential to store, or null for none. A masked secret keeps its stored value. */
    async encrypt(
      account_sid: string,
      input: Partial<BucketCredential> | null | undefined,
      actor: Actor,
    ): Promise<string | null> {
      const { vendor } = input ?? {}
      if (!input || vendor === undefined || vendor === 'none' || vendor === '') return null
      const credential = resolveCredential({ ...input, vendor }, await readStoredCredential(account_sid), actor)
      const ciphertext = encryption.encrypt(JSON.stringify(credential))
      if (ciphertext.length > maxCiphertextLength) throw badRequest(messages.tooLong, 'bucket_credential')
      return ciphertext
    },

    /** Returns the credential to test: the stored one if the body contains a masked secret, otherwise the body's. */
    async resolveForTest(account_sid: string, input: BucketCredential, actor: Actor): Promise<BucketCredential> {
      const current = await readStoredCredential(account_sid)
      const usesStoredSecret =
        current.vendor !== '' && Object.entries(input).some(([field, value]) => isMasked(field, value))
      return usesStoredSecret ? current : resolveCredential(input, current, actor)
    },
  }
}

export type BucketCredentials = ReturnType<typeof createBucketCredentialRepository>
