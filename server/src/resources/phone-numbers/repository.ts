import { sql } from 'kysely'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { chains } from '../../db/tenancy'
import { table, type Row, type Store } from '../../db/table'

/** Values in one statement: engines and drivers bound the number of placeholders. */
const inOneGo = 500

export const phoneNumbers = (store: Store) => {
  const { db } = store.database
  return {
    ...table<PhoneNumber>(store, {
      chain: chains.phone_number,
      sortable: ['number', 'account_name', 'application_name', 'voip_carrier_name'],
      ordered: 'number_idx',
      named: { account_name: sql`oa.name`, voip_carrier_name: sql`oc.name`, application_name: sql`na.name` },
      extra: sql`, oa.name as account_name, oc.name as voip_carrier_name, na.name as application_name`,
      extraJoins: sql`left join applications na on na.application_sid = t.application_sid`,
    }),

    /** Is the number taken on this carrier? Without a carrier any number of rows may hold it. */
    async taken(number: string, voip_carrier_sid: string | null): Promise<boolean> {
      if (!voip_carrier_sid) return false
      const { rows } = await sql<Row>`select phone_number_sid from phone_numbers
        where number = ${number} and voip_carrier_sid = ${voip_carrier_sid}`.execute(db)
      return rows.length > 0
    },

    /** The rows of these sids with their owners, in no order. */
    async some(sids: readonly string[]) {
      const found = []
      for (let from = 0; from < sids.length; from += inOneGo) {
        const part = sql`t.phone_number_sid in (${sql.join(sids.slice(from, from + inOneGo))})`
        found.push(...((await this.list({ all: true }, { where: [part] })) as Awaited<ReturnType<typeof this.find>>[]))
      }
      return found.filter((row) => row !== undefined)
    },

    /** One application for all of these numbers, or for none of them. */
    async assign(sids: readonly string[], application_sid: string | null): Promise<void> {
      await db.transaction().execute(async (tx) => {
        for (let from = 0; from < sids.length; from += inOneGo)
          await tx
            .updateTable('phone_numbers')
            .set({ application_sid })
            .where('phone_number_sid', 'in', sids.slice(from, from + inOneGo))
            .execute()
      })
      store.totals.touch('phone_numbers')
    },
  }
}

export type PhoneNumbers = ReturnType<typeof phoneNumbers>
