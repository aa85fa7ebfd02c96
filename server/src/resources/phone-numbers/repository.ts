import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql, type Insertable } from 'kysely'
import { fullReach } from '@trunkline/contract/policy/can'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { splitIntoBatches } from '../../db/batches'
import type { Tables } from '../../db/schema'
import { ownershipByKind } from '../../db/tenancy'
import { createRepository, type WithOwner, type Store } from '../../db/repository'
import type { Row, WriteCheck } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'

type NewNumber = Insertable<Tables['phone_numbers']>

export const createPhoneNumberRepository = (store: Store) => {
  const { db } = store.database
  return {
    ...createRepository<PhoneNumber>(store, {
      ownership: ownershipByKind.phone_number,
      sortableColumns: ['number', 'account_name', 'application_name', 'voip_carrier_name'],
      sortIndex: 'number_idx',
      sortExpressions: {
        account_name: sql`accounts.name`,
        voip_carrier_name: sql`voip_carriers.name`,
        application_name: sql`applications.name`,
      },
      extraColumns: sql`, accounts.name as account_name, voip_carriers.name as voip_carrier_name, applications.name as application_name`,
      extraJoins: sql`left join applications on applications.application_sid = t.application_sid`,
    }),

    /** Whether the carrier already has this number. Numbers without a carrier need not be unique. */
    async isDuplicate(number: string, voip_carrier_sid: string | null): Promise<boolean> {
      if (!voip_carrier_sid) return false
      const { rows } = await sql<Row>`select phone_number_sid from phone_numbers
        where number = ${number} and voip_carrier_sid = ${voip_carrier_sid}`.execute(db)
      return rows.length > 0
    },

    /** Rows by SID, in no particular order. */
    async findMany(sids: readonly string[]) {
      const rows = []
      for (const batch of splitIntoBatches(sids)) {
        const condition = sql`t.phone_number_sid in (${sql.join(batch)})`
        rows.push(...((await this.list(fullReach, { where: [condition] })) as Awaited<ReturnType<typeof this.find>>[]))
      }
      return rows.filter((row) => row !== undefined)
    },

    /** Rows of these numbers on any carrier, by number. */
    async findByNumbers(numbers: readonly string[]): Promise<Map<string, WithOwner<PhoneNumber>[]>> {
      const rowsByNumber = new Map<string, WithOwner<PhoneNumber>[]>()
      for (const batch of splitIntoBatches(numbers)) {
        // SQLite queries never wait and would block other requests.
        await yieldToEventLoop()
        const condition = sql`t.number in (${sql.join(batch)})`
        for (const row of (await this.list(fullReach, { where: [condition] })) as WithOwner<PhoneNumber>[])
          rowsByNumber.set(row.number, [...(rowsByNumber.get(row.number) ?? []), row])
      }
      return rowsByNumber
    },

    /** Adds and updates many numbers in one transaction. */
    async write(
      additions: readonly Row[],
      changes: readonly { phone_number_sid: string; values: Row }[],
      check?: WriteCheck,
    ): Promise<void> {
      // Rows with the same changes share one statement.
      const groups = new Map<string, { values: Row; sids: string[] }>()
      for (const { phone_number_sid, values } of changes) {
        const group = groups.get(JSON.stringify(values)) ?? { values, sids: [] }
        group.sids.push(phone_number_sid)
        groups.set(JSON.stringify(values), group)
      }
      await withTransaction(db, async (tx) => {
        await check?.(tx)
        for (const batch of splitIntoBatches(additions)) {
          await yieldToEventLoop()
          await tx
            .insertInto('phone_numbers')
            .values(batch as NewNumber[])
            .execute()
        }
        for (const { values, sids } of groups.values())
          for (const batch of splitIntoBatches(sids))
            await tx.updateTable('phone_numbers').set(values).where('phone_number_sid', 'in', batch).execute()
      })
      store.listCounts.invalidate('phone_numbers')
    },

    /** Sets or clears the application of many numbers in one transaction. */
    async assignApplication(sids: readonly string[], application_sid: string | null): Promise<void> {
      await withTransaction(db, async (tx) => {
        for (const batch of splitIntoBatches(sids))
          await tx
            .updateTable('phone_numbers')
            .set({ application_sid })
            .where('phone_number_sid', 'in', batch)
            .execute()
      })
      store.listCounts.invalidate('phone_numbers')
    },
  }
}

export type PhoneNumbers = ReturnType<typeof createPhoneNumberRepository>
