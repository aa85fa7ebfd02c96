import { randomUUID } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import type { Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import type { Tables } from '../../db/schema'
import { withTransaction } from '../../db/transaction'
import type { Dns, DnsRecord } from '../../ports/dns'

type Removal = Selectable<Tables['trunkline_dns_removals']>

const nowSeconds = () => Math.floor(Date.now() / 1000)
/** How long the creation of records may take before a crash is assumed. */
const creationSeconds = 600
const retrySeconds = 600
/** The types of the records that realms get. */
const createdTypes = ['A', 'SRV']

/** Schedules the deletion of all DNS records of an account. Call it in the transaction that deletes or replaces its realm. */
export const scheduleAccountRecords = async (account_sid: string, tx: Connection): Promise<void> => {
  await sql`insert into trunkline_dns_removals (removal_sid, realm, record_id, due_at)
    select r.dns_record_sid, a.sip_realm, r.record_id, ${nowSeconds()} from dns_records r
    join accounts a on a.account_sid = r.account_sid where r.account_sid = ${account_sid} and a.sip_realm is not null`.execute(
    tx,
  )
  await tx.deleteFrom('dns_records').where('account_sid', '=', account_sid).execute()
}

/** DNS records that must be deleted at the DNS provider. They are kept until the provider has deleted them. */
export const createDnsRemovals = ({ database: { db } }: Store, dns: Dns | undefined) => {
  const isUsed = async (realm: string): Promise<boolean> =>
    (await db.selectFrom('accounts').select('account_sid').where('sip_realm', '=', realm).execute()).length > 0

  /** Whether another request creates records of the same realm. That request's row then covers the existing records. */
  const hasParallelCreation = async ({ realm, removal_sid }: Removal): Promise<boolean> => {
    const rows = await db
      .selectFrom('trunkline_dns_removals')
      .select('removal_sid')
      .where('realm', '=', realm)
      .where('record_id', 'is', null)
      .where('removal_sid', '<>', removal_sid)
      .execute()
    return rows.length > 0
  }

  const removeRecords = async (removal: Removal, provider: Dns) => {
    const { realm, record_id } = removal
    if (record_id !== null) return provider.deleteRecords(realm, [record_id])
    // The server stopped while it created the records, or got no response, so their IDs are unknown. The realm had no records
    // before.
    if ((await hasParallelCreation(removal)) || (await isUsed(realm))) return
    const records = await provider.listRealm(realm)
    await provider.deleteRecords(
      realm,
      records.filter(({ type }) => createdTypes.includes(type)).map(({ id }) => id),
    )
  }

  const deleteRow = async (removal_sid: string, connection: Connection = db) => {
    await connection.deleteFrom('trunkline_dns_removals').where('removal_sid', '=', removal_sid).execute()
  }

  return {
    /** Records that the records of a realm are being created. Returns the SID for `finishCreation`. */
    async startCreation(realm: string): Promise<string> {
      const removal_sid = randomUUID()
      const due_at = nowSeconds() + creationSeconds
      await db.insertInto('trunkline_dns_removals').values({ removal_sid, realm, record_id: null, due_at }).execute()
      return removal_sid
    },

    /** Ends an attempt. Call it if nothing was created, or in the transaction that stores the IDs of the created records. */
    finishCreation: deleteRow,

    /** Schedules the deletion of what a failed creation has left. Without `records`, their IDs are unknown. */
    async cancelCreation(removal_sid: string, realm: string, records: readonly DnsRecord[] = []): Promise<void> {
      const due_at = nowSeconds()
      if (records.length === 0) {
        await db.updateTable('trunkline_dns_removals').set({ due_at }).where('removal_sid', '=', removal_sid).execute()
        return
      }
      await withTransaction(db, async (tx) => {
        const rows = records.map(({ id }) => ({ removal_sid: randomUUID(), realm, record_id: id, due_at }))
        await tx.insertInto('trunkline_dns_removals').values(rows).execute()
        await deleteRow(removal_sid, tx)
      })
    },

    /** Deletes all records that are due, or only those of a realm. What fails is tried again later, and reported. */
    async removeDue({ signal, realm: dueRealm }: { signal?: AbortSignal; realm?: string } = {}): Promise<void> {
      if (!dns) return
      const dueRows = db
        .selectFrom('trunkline_dns_removals')
        .selectAll()
        .where('due_at', '<=', nowSeconds())
        .orderBy('due_at')
        .limit(500)
      const rows = await (dueRealm ? dueRows.where('realm', '=', dueRealm) : dueRows).execute()
      let failure: Error | undefined
      for (const row of rows) {
        if (signal?.aborted) return
        const { removal_sid } = row
        try {
          await removeRecords(row, dns)
          await deleteRow(removal_sid)
        } catch (error) {
          failure = error instanceof Error ? error : new Error(String(error))
          await db
            .updateTable('trunkline_dns_removals')
            .set({ due_at: nowSeconds() + retrySeconds })
            .where('removal_sid', '=', removal_sid)
            .execute()
        }
      }
      if (failure) throw failure
    },
  }
}

export type DnsRemovals = ReturnType<typeof createDnsRemovals>
