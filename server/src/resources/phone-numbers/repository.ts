import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql, type Insertable } from 'kysely'
import { fullReach } from '@trunkline/contract/policy/can'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { splitIntoBatches } from '../../db/batches'
import type { Tables } from '../../db/schema'
import { ownershipByKind } from '../../db/tenancy'
import { createRepository, hasValues, type WithOwner, type Store } from '../../db/repository'
import type { Connection, Row, WriteCheck } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { getCheckedUse } from '../../shared/application-lock'
import { changedMeanwhile } from '../../shared/refusals'

type NewNumber = Insertable<Tables['phone_numbers']>

/** Updates numbers. Throws 409 if one no longer has the checked values. */
const updateUnchanged = async (
  { values, checkedValues, sids }: { values: Row; checkedValues: Row; sids: readonly string[] },
  tx: Connection,
): Promise<void> => {
  for (const batch of splitIntoBatches(sids)) {
    const { numUpdatedRows } = await tx
      .updateTable('phone_numbers')
      .set(values)
      .where('phone_number_sid', 'in', batch)
      .where(sql<boolean>`${hasValues(checkedValues)}`)
      .executeTakeFirst()
    if (Number(numUpdatedRows) !== batch.length) throw changedMeanwhile()
  }
}

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

    /** Adds and updates many numbers in one transaction. Throws 409 if a number that is updated was changed meanwhile. */
    async write(
      additions: readonly Row[],
      changes: readonly { current: PhoneNumber; values: Row }[],
      check?: WriteCheck,
    ): Promise<void> {
      // Rows with the same changes share one statement.
      const groups = new Map<string, { values: Row; checkedValues: Row; sids: string[] }>()
      for (const { current, values } of changes) {
        const checkedValues = getCheckedUse(current, values)
        const key = JSON.stringify([values, checkedValues])
        const group = groups.get(key) ?? { values, checkedValues, sids: [] }
        group.sids.push(current.phone_number_sid)
        groups.set(key, group)
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
        for (const group of groups.values()) await updateUnchanged(group, tx)
      })
    },

    /**
     * Sets or clears the application of many numbers in one transaction. Throws 409 if a number has moved to another account
     * meanwhile.
     */
    async assignApplication(
      numbers: readonly PhoneNumber[],
      application_sid: string | null,
      check: WriteCheck,
    ): Promise<void> {
      const changes = numbers.map((current) => ({ current, values: { application_sid } }))
      await this.write([], changes, check)
    },
  }
}

export type PhoneNumbers = ReturnType<typeof createPhoneNumberRepository>
