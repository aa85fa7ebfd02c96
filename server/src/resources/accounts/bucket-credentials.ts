import { bucketForm, isAwsRegion, missingPart, type BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Store } from '../../db/repository'
import { badRequest, forbidden, unprocessable } from '../../http/problem'
import type { SecretEncryption } from '../../secrets/encryption'
import { looksObscured, isServiceKeyObscured } from '../../secrets/obscure'

/** As long as the column that keeps it. */
const longest = 8192

const none: BucketCredential = { vendor: '' }

const secrets: Record<string, (text: string) => boolean> = {
  secret_access_key: looksObscured,
  connection_string: looksObscured,
  service_key: isServiceKeyObscured,
}

/** Is this a secret as this server showed it, sent back? */
const comesBack = (name: string, given: unknown) => typeof given === 'string' && (secrets[name]?.(given) ?? false)

const formOf = (credential: BucketCredential) => {
  const form = bucketForm(credential)
  if (form) return form
  throw badRequest(messages.unknownVendor(credential.vendor), 'bucket_credential.vendor')
}

/** The same place under the same identity, whatever its tags. */
const samePlace = (one: BucketCredential, other: BucketCredential) =>
  (['vendor', 'credential_type', 'name', 'region'] as const).every((part) => one[part] === other[part])

/**
 * The server's own identity may reach buckets that are nobody's business here, so only who runs the server may point it
 * at one. What an administrator chose may be repeated by everybody.
 */
const checkIdentity = (credential: BucketCredential, before: BucketCredential, actor: Actor) => {
  if (credential.credential_type !== 'instance_profile' || actor.scope === 'admin') return
  if (!samePlace(credential, before)) throw forbidden(messages.instanceProfile, 'bucket_credential.credential_type')
}

/** A region of another form that was stored once may be repeated. */
const checkRegion = ({ vendor, region }: BucketCredential, before: BucketCredential) => {
  if (vendor === 'aws_s3' && region && region !== before.region && !isAwsRegion(region))
    throw badRequest(messages.badRegion, 'bucket_credential.region')
}

const addressOf = ({ vendor, endpoint }: BucketCredential): string | undefined => {
  // the kits of the other vendors know their hosts, and a connection string contains both its address and its secret
  if (vendor !== 's3_compatible') return undefined
  return endpoint && URL.canParse(endpoint) ? new URL(endpoint).href : (endpoint ?? '')
}

/**
 * Refuses to use a stored secret at another address. The server there would get requests that are signed with a secret that the editor
 * was never shown.
 */
const checkAddress = (given: BucketCredential, credential: BucketCredential, before: BucketCredential) => {
  const address = addressOf(credential)
  if (address === undefined || address === addressOf(before)) return
  if (comesBack('secret_access_key', given.secret_access_key))
    throw unprocessable(messages.secretWanted, 'bucket_credential.secret_access_key')
}

/** The credential of the bucket that takes an account's recordings: checked, completed with kept secrets, encrypted. */
export const bucketCredentials = ({ database: { db } }: Store, vault: SecretEncryption) => {
  const stored = async (account_sid: string): Promise<BucketCredential> => {
    const row = await db
      .selectFrom('accounts')
      .select('bucket_credential')
      .where('account_sid', '=', account_sid)
      .executeTakeFirst()
    const opened = row?.bucket_credential ? vault.decryptJson(row.bucket_credential) : undefined
    return opened?.ok ? { ...none, ...opened.value } : none
  }

  /** A credential out of a body with exactly its vendor's parts. Throws 400 with the part that is missing. */
  const completed = (given: BucketCredential, before: BucketCredential, actor: Actor): BucketCredential => {
    const form = formOf(given)
    const parts = [...Object.keys(form.required), ...form.optional] as (keyof BucketCredential)[]
    const values = parts.map((part) => [part, comesBack(part, given[part]) ? before[part] : given[part]] as const)
    const credential = {
      vendor: given.vendor,
      ...Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null && value !== '')),
    }
    const missing = missingPart(credential)
    if (missing) throw badRequest(missing.msg, `bucket_credential.${missing.part}`)
    checkRegion(credential, before)
    checkIdentity(credential, before, actor)
    checkAddress(given, credential, before)
    return credential
  }

  return {
    /** The credential of an account's bucket; undefined where it has none. */
    async of(account_sid: string): Promise<BucketCredential | undefined> {
      const credential = await stored(account_sid)
      return credential.vendor === '' ? undefined : credential
    },

    /** What to store for a credential out of a body: null for none. A secret that comes back obscured stays as it is. */
    async sealed(
      account_sid: string,
      given: Partial<BucketCredential> | null | undefined,
      actor: Actor,
    ): Promise<string | null> {
      const { vendor } = given ?? {}
      if (!given || vendor === undefined || vendor === 'none' || vendor === '') return null
      const credential = completed({ ...given, vendor }, await stored(account_sid), actor)
      const sealed = vault.encrypt(JSON.stringify(credential))
      if (sealed.length > longest) throw badRequest(messages.tooLong, 'bucket_credential')
      return sealed
    },

    /** What a test of this body is a test of: the whole stored credential, when its secret comes back obscured. */
    async toTest(account_sid: string, given: BucketCredential, actor: Actor): Promise<BucketCredential> {
      const before = await stored(account_sid)
      const asStored = before.vendor !== '' && Object.entries(given).some(([part, value]) => comesBack(part, value))
      return asStored ? before : completed(given, before, actor)
    },
  }
}

export type BucketCredentials = ReturnType<typeof bucketCredentials>
