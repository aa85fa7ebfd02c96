import { getBucketForm, isAwsRegion, findMissingField, type BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Store } from '../../db/repository'
import { badRequest, forbidden, unprocessable } from '../../http/problem'
import type { SecretEncryption } from '../../secrets/encryption'
import { looksObscured, isServiceKeyObscured } from '../../secrets/obscure'

/** Size of the column `accounts.bucket_credential`. */
const maxCiphertextLength = 8192

const noCredential: BucketCredential = { vendor: '' }

const maskChecks: Record<string, (text: string) => boolean> = {
  secret_access_key: looksObscured,
  connection_string: looksObscured,
  service_key: isServiceKeyObscured,
}

/** Whether the value is a masked secret that this server returned earlier. */
const isMasked = (name: string, input: unknown) => typeof input === 'string' && (maskChecks[name]?.(input) ?? false)

const findForm = (credential: BucketCredential) => {
  const form = getBucketForm(credential)
  if (form) return form
  throw badRequest(messages.unknownVendor(credential.vendor), 'bucket_credential.vendor')
}

/** Whether both name the same bucket and identity. Tags may differ. */
const isSameBucket = (a: BucketCredential, b: BucketCredential) =>
  (['vendor', 'credential_type', 'name', 'region'] as const).every((part) => a[part] === b[part])

/**
 * The server's own AWS identity may reach buckets of others, so only administrators may choose a bucket for it. Other
 * users may only repeat the administrator's choice.
 */
const checkIdentity = (credential: BucketCredential, current: BucketCredential, actor: Actor) => {
  if (credential.credential_type !== 'instance_profile' || actor.scope === 'admin') return
  if (!isSameBucket(credential, current)) throw forbidden(messages.instanceProfile, 'bucket_credential.credential_type')
}

/** A stored region in another format may be repeated. */
const checkRegion = ({ vendor, region }: BucketCredential, current: BucketCredential) => {
  if (vendor === 'aws_s3' && region && region !== current.region && !isAwsRegion(region))
    throw badRequest(messages.unknownRegion, 'bucket_credential.region')
}

const endpointOf = ({ vendor, endpoint }: BucketCredential): string | undefined => {
  // The SDKs of the other vendors know their hosts, and a connection string contains both URL and secret.
  if (vendor !== 's3_compatible') return undefined
  return endpoint && URL.canParse(endpoint) ? new URL(endpoint).href : (endpoint ?? '')
}

/**
 * Refuses to use a stored secret with another endpoint: that server would receive requests signed with a secret that
 * the editor was never shown.
 */
const checkEndpoint = (input: BucketCredential, credential: BucketCredential, current: BucketCredential) => {
  const endpointUrl = endpointOf(credential)
  if (endpointUrl === undefined || endpointUrl === endpointOf(current)) return
  if (isMasked('secret_access_key', input.secret_access_key))
    throw unprocessable(messages.reenterSecret, 'bucket_credential.secret_access_key')
}

/** Bucket credentials of accounts, for their recordings. Checks them, restores masked secrets and encrypts them. */
export const bucketCredentials = ({ database: { db } }: Store, vault: SecretEncryption) => {
  const readStored = async (account_sid: string): Promise<BucketCredential> => {
    const row = await db
      .selectFrom('accounts')
      .select('bucket_credential')
      .where('account_sid', '=', account_sid)
      .executeTakeFirst()
    const decrypted = row?.bucket_credential ? vault.decryptJson(row.bucket_credential) : undefined
    return decrypted?.ok ? { ...noCredential, ...decrypted.value } : noCredential
  }

  /**
   * Returns the input limited to the fields of its vendor, with stored secrets restored. Throws 400 if a field is
   * missing.
   */
  const completeCredential = (input: BucketCredential, current: BucketCredential, actor: Actor): BucketCredential => {
    const form = findForm(input)
    const parts = [...Object.keys(form.required), ...form.optional] as (keyof BucketCredential)[]
    const values = parts.map((part) => [part, isMasked(part, input[part]) ? current[part] : input[part]] as const)
    const credential = {
      vendor: input.vendor,
      ...Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null && value !== '')),
    }
    const missingField = findMissingField(credential)
    if (missingField) throw badRequest(missingField.msg, `bucket_credential.${missingField.field}`)
    checkRegion(credential, current)
    checkIdentity(credential, current, actor)
    checkEndpoint(input, credential, current)
    return credential
  }

  return {
    /** The credential of an account's bucket. Undefined if it has none. */
    async find(account_sid: string): Promise<BucketCredential | undefined> {
      const credential = await readStored(account_sid)
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
      const credential = completeCredential({ ...input, vendor }, await readStored(account_sid), actor)
      const ciphertext = vault.encrypt(JSON.stringify(credential))
      if (ciphertext.length > maxCiphertextLength) throw badRequest(messages.tooLong, 'bucket_credential')
      return ciphertext
    },

    /** Returns the credential to test: the stored one if the body contains a masked secret, otherwise the body's. */
    async resolveForTest(account_sid: string, input: BucketCredential, actor: Actor): Promise<BucketCredential> {
      const current = await readStored(account_sid)
      const usesStored = current.vendor !== '' && Object.entries(input).some(([part, value]) => isMasked(part, value))
      return usesStored ? current : completeCredential(input, current, actor)
    },
  }
}

export type BucketCredentials = ReturnType<typeof bucketCredentials>
