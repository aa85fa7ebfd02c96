import { sql } from 'kysely'
import type { Account } from '@trunkline/contract/shapes/account'
import { ownershipByKind } from '../../db/tenancy'
import { equalsText, createRepository, type Store } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { obscureBucketCredential } from '../../secrets/obscure-bucket-credential'
import type { SecretEncryption } from '../../secrets/encryption'
import type { Webhooks } from '../webhooks/public'

export const accountWebhookFields = ['registration_hook', 'queue_event_hook'] as const

/** An account with the SIDs of its webhooks, which the API does not return. */
export type StoredAccount = Account & { registration_hook_sid: string | null; queue_event_hook_sid: string | null }

/** The bucket credential with masked secrets. Null if there is none or it cannot be decrypted. */
const toMaskedCredential = (encryption: SecretEncryption, ciphertext: unknown) => {
  if (typeof ciphertext !== 'string') return { bucket_credential: null }
  const decryption = encryption.decryptJson(ciphertext)
  return decryption.ok
    ? { bucket_credential: obscureBucketCredential(decryption.value) }
    : { bucket_credential: null, unreadable: ['bucket_credential'] }
}

/** The API returns the webhooks of accounts without their SIDs. */
const omitWebhookSid = (webhook: unknown) => {
  if (webhook === null || typeof webhook !== 'object') return webhook
  const { url, method, username, password } = webhook as Row
  return { url, method, username, password }
}

export const createAccountRepository = (store: Store, encryption: SecretEncryption, webhooks: Webhooks) => {
  const { db } = store.database
  const baseRepository = createRepository<StoredAccount>(store, {
    ownership: ownershipByKind.account,
    sortableColumns: ['name', 'sip_realm', 'plan_type', 'is_active', 'created_at', 'record_format', 'trial_end_date'],
    toContractRows: async (storedRows, connection) =>
      (await webhooks.attachWebhooks(storedRows, accountWebhookFields, connection)).map((row) => ({
        ...row,
        registration_hook: omitWebhookSid(row.registration_hook),
        queue_event_hook: omitWebhookSid(row.queue_event_hook),
        ...toMaskedCredential(encryption, row.bucket_credential),
      })),
  })

  return {
    ...baseRepository,

    /** The SID of an account's provider. Undefined if the account does not exist. */
    async providerOf(account_sid: string, connection: Connection = db): Promise<string | undefined> {
      const row = await connection
        .selectFrom('accounts')
        .select('service_provider_sid')
        .where('account_sid', '=', account_sid)
        .executeTakeFirst()
      return row?.service_provider_sid
    },

    /** The SIDs of all accounts of a provider. */
    async sidsOfProvider(service_provider_sid: string): Promise<string[]> {
      const accountRows = await db
        .selectFrom('accounts')
        .select('account_sid')
        .where('service_provider_sid', '=', service_provider_sid)
        .execute()
      return accountRows.map(({ account_sid }) => account_sid)
    },

    /** Whether another account of the provider has this name. The database has no unique key for it. */
    async isDuplicateName(
      name: string,
      service_provider_sid: string,
      exceptSid: string | undefined,
      tx: Connection,
    ): Promise<boolean> {
      const { rows: duplicates } = await sql<Row>`select account_sid from accounts where ${equalsText(sql`name`, name)}
        and service_provider_sid = ${service_provider_sid} and account_sid <> ${exceptSid ?? ''} limit 1`.execute(tx)
      return duplicates.length > 0
    },

    async isDuplicateRealm(sip_realm: string, exceptSid?: string): Promise<boolean> {
      const { rows: duplicates } = await sql<Row>`select account_sid from accounts
        where ${equalsText(sql`sip_realm`, sip_realm)} and account_sid <> ${exceptSid ?? ''}`.execute(db)
      return duplicates.length > 0
    },
  }
}

export type Accounts = ReturnType<typeof createAccountRepository>
