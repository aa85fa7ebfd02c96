import { sql } from 'kysely'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { isStored } from '@trunkline/contract/speech/credential'
import { customPrefix, findVendorById } from '@trunkline/contract/speech/vendors'
import { vendors } from '@trunkline/contract/speech/vendors/all'
import { ownershipByKind } from '../../db/tenancy'
import { createRepository, type Store } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { toColumnTime } from '../../db/time'
import type { SecretEncryption } from '../../secrets/encryption'
import { decryptCredential, presentField } from './credential-encryption'

/** The fields of a shared credential that accounts of the provider do not get. */
const secretFields = vendors.flatMap(({ fields }) =>
  fields.filter(({ kind }) => kind === 'secret').map(({ name }) => name),
)

/** The stored name of most vendors is their display name in lower case. Sorting maps only the others. */
const renamedVendors = vendors.filter(
  ({ vendor, name, isNamedByInstallation }) => !isNamedByInstallation && name.toLowerCase() !== vendor,
)
const vendorSortKey = sql`case
  ${sql.join(
    renamedVendors.map(({ vendor, name }) => sql`when t.vendor = ${vendor} then ${name.toLowerCase()}`),
    sql` `,
  )}
  when t.vendor like ${`${customPrefix}%`} then lower(substr(t.vendor, ${sql.lit(customPrefix.length + 1)}))
  else t.vendor end`

/** Replaces the encrypted column by the credential's fields, with secrets masked. */
const presentCredential = (encryption: SecretEncryption, { credential, ...row }: Row): Row => {
  const vendor = findVendorById(String(row.vendor))
  const fields = decryptCredential(encryption, String(row.vendor), credential)?.fields
  if (!vendor || !fields) return row
  const storedFields = vendor.fields.filter(isStored)
  const readableFields = storedFields.filter(({ name }) => name in fields)
  return {
    ...row,
    // API clients expect `model_id` for vendors with models, even if no model is stored.
    ...(storedFields.some(({ name }) => name === 'model_id') ? { model_id: null } : {}),
    ...Object.fromEntries(readableFields.map((field) => [field.name, presentField(field, fields[field.name])])),
  }
}

/** A decrypted credential, for requests to its vendor. */
export interface DecryptedCredential {
  speech_credential_sid: string
  /** The SID of its account, or of its provider if all accounts share it. */
  owner: string
  vendor: string
  label: string | null
  use_for_tts: number
  use_for_stt: number
  /** The vendor's fields by name. Undefined if they cannot be decrypted with this server's secret. */
  fields: Row | undefined
  /** Further fields that other programs stored. */
  otherFields: Row
  /** The encrypted column, to detect changes. */
  credential: string | null
}

/** The test columns of a credential that was not tested. */
export const untestedColumns = { last_tested: null, tts_tested_ok: null, stt_tested_ok: null }

/** The results of a test. A direction that was not tested has none. */
export interface TestResult {
  tts?: boolean
  stt?: boolean
}

export const createSpeechCredentialRepository = (store: Store, encryption: SecretEncryption) => {
  const { db } = store.database
  const baseRepository = createRepository<SpeechCredential>(store, {
    ownership: ownershipByKind.speech_credential,
    sortableColumns: ['vendor', 'label', 'account_name', 'last_used', 'created_at'],
    providerOnlyColumns: secretFields,
    sortExpressions: { account_name: sql`na.name`, vendor: vendorSortKey },
    extraColumns: sql`, na.name as account_name`,
    extraJoins: sql`left join accounts na on na.account_sid = t.account_sid`,
    toContractRows: (rows) => Promise.resolve(rows.map((row) => presentCredential(encryption, row))),
  })
  return {
    ...baseRepository,

    /** A decrypted credential. Must not be returned to clients or logged. */
    async decrypt(
      speech_credential_sid: string,
      connection: Connection = db,
    ): Promise<DecryptedCredential | undefined> {
      const row = await connection
        .selectFrom('speech_credentials')
        .select(['speech_credential_sid', 'vendor', 'label', 'use_for_tts', 'use_for_stt', 'credential'])
        .select(['account_sid', 'service_provider_sid'])
        .where('speech_credential_sid', '=', speech_credential_sid)
        .executeTakeFirst()
      if (!row) return undefined
      const { account_sid, service_provider_sid, ...columns } = row
      const decrypted = decryptCredential(encryption, row.vendor, row.credential)
      return {
        ...columns,
        owner: account_sid ?? service_provider_sid ?? '',
        use_for_tts: Number(columns.use_for_tts ?? 1),
        use_for_stt: Number(columns.use_for_stt ?? 1),
        fields: decrypted?.fields,
        otherFields: decrypted?.otherFields ?? {},
      }
    },

    /**
     * The first credential of a vendor with this label that the account may use or, without an account, the provider. A null
     * label matches credentials without label.
     */
    async findByLabel(
      vendor: string,
      label: string | null,
      owner: { account_sid: string | null; service_provider_sid: string },
    ): Promise<string | undefined> {
      const { account_sid, service_provider_sid } = owner
      const accountCondition = account_sid ? sql`account_sid = ${account_sid} or` : sql``
      const { rows: matchingRows } = await sql<{ speech_credential_sid: string }>`
        select speech_credential_sid from speech_credentials
        where vendor = ${vendor} and ${label === null ? sql`label is null` : sql`label = ${label}`}
          and (${accountCondition} (account_sid is null and service_provider_sid = ${service_provider_sid}))
        order by account_sid is null, created_at, speech_credential_sid limit 1`.execute(db)
      return matchingRows[0]?.speech_credential_sid
    },

    /** Whether the owner has another credential of this vendor with this label. */
    async isDuplicateLabel(
      { vendor, label, account_sid, service_provider_sid }: Row,
      connection: Connection = db,
    ): Promise<boolean> {
      const ownerCondition = account_sid
        ? sql`account_sid = ${account_sid}`
        : sql`account_sid is null and service_provider_sid = ${service_provider_sid}`
      const { rows: matchingRows } = await sql`select 1 from speech_credentials
        where vendor = ${vendor} and label = ${label} and ${ownerCondition} limit 1`.execute(connection)
      return matchingRows.length > 0
    },

    /** Stores a test result, unless the credential has changed since. */
    async saveTestResult(
      { speech_credential_sid, credential }: Pick<DecryptedCredential, 'speech_credential_sid' | 'credential'>,
      { tts, stt }: TestResult,
    ): Promise<void> {
      const toFlag = (ok: boolean | undefined) => (ok === undefined ? null : Number(ok))
      await db
        .updateTable('speech_credentials')
        .set({ last_tested: toColumnTime(), tts_tested_ok: toFlag(tts), stt_tested_ok: toFlag(stt) })
        .where('speech_credential_sid', '=', speech_credential_sid)
        .where('credential', '=', credential)
        .execute()
    },
  }
}

export type SpeechCredentials = ReturnType<typeof createSpeechCredentialRepository>
