import type { ApiKey } from '@trunkline/contract/shapes/api-key'
import { sql } from 'kysely'
import { repository, type Store } from '../../db/repository'
import type { Row } from '../../db/repository-options'
import { ownerChains } from '../../db/tenancy'
import { withTransaction } from '../../db/transaction'

export const apiKeys = (store: Store) => {
  const { db } = store.database
  const rows = repository<ApiKey>(store, {
    chain: ownerChains.api_key,
    sortableColumns: ['created_at'],
    extraColumns: sql`, kn.name as name`,
    extraJoins: sql`left join trunkline_api_key_names kn on kn.api_key_sid = t.api_key_sid`,
  })

  return {
    ...rows,

    /** Inserts a key, with its name in our own table. */
    insert: (key: Row & { api_key_sid: string }, name: string | null): Promise<void> =>
      withTransaction(db, async (tx) => {
        await rows.insert(key, tx)
        if (name)
          await tx.insertInto('trunkline_api_key_names').values({ api_key_sid: key.api_key_sid, name }).execute()
      }),

    /** Deletes a key and all names whose key is gone, because other programs delete keys without their names. */
    remove: (sid: string): Promise<void> =>
      withTransaction(db, async (tx) => {
        await rows.remove(sid, tx)
        await sql`delete from trunkline_api_key_names where not exists (
          select 1 from api_keys k where k.api_key_sid = trunkline_api_key_names.api_key_sid)`.execute(tx)
      }),
  }
}

export type ApiKeys = ReturnType<typeof apiKeys>
