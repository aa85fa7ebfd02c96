import type { Store } from '../../db/table'
import { badRequest } from '../../http/problem'
import type { Vault } from '../../secrets/encryption'
import { looksObscured } from '../../secrets/obscure'

type Credential = Record<string, unknown>

/** For each vendor the keys that must be there, with the words for one that is missing, and those that may. */
const vendors: Record<string, { required: Record<string, string>; optional: string[] }> = {
  aws_s3: {
    required: {
      access_key_id: 'invalid aws S3 bucket credential: access_key_id is required',
      secret_access_key: 'invalid aws S3 bucket credential: secret_access_key is required',
      name: 'invalid aws bucket name: name is required',
      region: 'invalid aws bucket region: region is required',
    },
    optional: ['tags'],
  },
  s3_compatible: {
    required: {
      access_key_id: 'invalid aws S3 bucket credential: access_key_id is required',
      secret_access_key: 'invalid aws S3 bucket credential: secret_access_key is required',
      name: 'invalid aws bucket name: name is required',
      endpoint: 'invalid endpoint uri: endpoint is required',
    },
    optional: ['region', 'tags'],
  },
  google: {
    required: { service_key: 'invalid google cloud storage credential: service_key is required' },
    optional: ['name', 'tags'],
  },
  azure: {
    required: {
      name: 'invalid azure container name: name is required',
      connection_string: 'invalid azure cloud storage credential: connection_string is required',
    },
    optional: ['tags'],
  },
}

const secretKeys = ['secret_access_key', 'connection_string']

/** Does a Google key come back with its private key as this server showed it? */
const keyObscured = (text: unknown) => typeof text === 'string' && /X{6,}/.test(text)

const formOf = (vendor: unknown) => {
  const form = typeof vendor === 'string' ? vendors[vendor] : undefined
  if (form) return form
  throw badRequest(`unknown storage vendor: ${JSON.stringify(vendor).replace(/"/g, '')}`, 'bucket_credential.vendor')
}

/** Is this a secret as this server showed it, sent back? */
const comesBack = (name: string, given: unknown) =>
  name === 'service_key'
    ? keyObscured(given)
    : secretKeys.includes(name) && typeof given === 'string' && looksObscured(given)

/** The credential of the bucket that takes an account's recordings: checked, completed with kept secrets, encrypted. */
export const bucketCredentials = ({ database: { db } }: Store, vault: Vault) => {
  const stored = async (account_sid: string): Promise<Credential> => {
    const row = await db
      .selectFrom('accounts')
      .select('bucket_credential')
      .where('account_sid', '=', account_sid)
      .executeTakeFirst()
    const opened = row?.bucket_credential ? vault.openJson(row.bucket_credential) : undefined
    return opened?.ok ? opened.value : {}
  }

  return {
    /**
     * What to store for a credential out of a body: null for none. A secret that comes back as it was shown stands for
     * the stored one. Throws 400 with the field that is missing.
     */
    async sealed(account_sid: string, credential: Credential | null | undefined): Promise<string | null> {
      const { vendor } = credential ?? {}
      if (!credential || vendor === undefined || vendor === 'none' || vendor === '') return null
      const form = formOf(vendor)
      const before = await stored(account_sid)
      const value: Credential = { vendor }
      for (const name of [...Object.keys(form.required), ...form.optional]) {
        const kept = comesBack(name, credential[name]) ? before[name] : credential[name]
        if (!kept && form.required[name]) throw badRequest(form.required[name], `bucket_credential.${name}`)
        if (kept !== undefined) value[name] = kept
      }
      return vault.seal(JSON.stringify(value))
    },
  }
}

export type BucketCredentials = ReturnType<typeof bucketCredentials>
