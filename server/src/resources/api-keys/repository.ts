import type { ApiKey } from '@trunkline/contract/shapes/api-key'
import { sql } from 'kysely'
import { createRepository, type Store } from '../../db/repository'
import type { Row } from '../../db/repository-options'
import { ownershipByKind } from '../../db/tenancy'
import { withTransaction } from '../../db/transaction'

export const createApiKeyRepository = (store: Store) => {
  const { db } = store.database
  const baseRepository = createRepository<ApiKey>(store, {
    ownership: ownershipByKind.api_key,
    sortableColumns: ['created_at'],
    extraColumns: sql`, key_names.name as name`,
    extraJoins: sql`left join trunkline_api_key_names key_names on key_names.api_key_sid = t.api_key_sid`,
  })

  return {
    ...baseRepository,

    /** Inserts a key. Its name is stored in a separate table, because the platform's table has no column for it. */
    insert: (key: Row & { api_key_sid: string }, name: string | null): Promise<void> =>
      withTransaction(db, async (tx) => {
        await baseRepository.insert(key, tx)
        if (name)
          await tx.insertInto('trunkline_api_key_names').values({ api_key_sid: key.api_key_sid, name }).execute()
      }),

    /** Deletes a key and its name. Other programs delete keys without their names, so all names without a key are deleted. */
    remove: (sid: string): Promise<void> =>
      withTransaction(db, async (tx) => {
        await baseRepository.remove(sid, tx)
        await sql`delete from trunkline_api_key_names where not exists (
          select 1 from api_keys where api_keys.api_key_sid = trunkline_api_key_names.api_key_sid)`.execute(tx)
      }),
  }
}

export type ApiKeys = ReturnType<typeof createApiKeyRepository>
