import { randomUUID } from 'node:crypto'
import { sql, type Insertable } from 'kysely'
import { openDatabase } from '../server/src/db/database'
import { migrate } from '../server/src/db/migrate'
import type { Tables } from '../server/src/db/schema'
import { seed } from '../server/src/db/seed'
import { DEFAULT_SERVICE_PROVIDER } from '../server/src/db/seed-data'

const rowsInOneStatement = 500

/** How many records of each kind a measured installation holds. */
export interface Size {
  accounts: number
  numbers: number
}

/**
 * Fills a database as a large provider would have: `numbers` spread over `accounts`, all on one carrier. Written past
 * the API, because what is measured is reading them.
 */
export const fill = async (url: string, { accounts, numbers }: Size): Promise<void> => {
  const { db, engine, close } = openDatabase(url)
  const insert = async <Name extends keyof Tables>(name: Name, rows: Insertable<Tables[Name]>[]) => {
    await db.transaction().execute(async (tx) => {
      for (let from = 0; from < rows.length; from += rowsInOneStatement)
        await tx
          .insertInto(name)
          .values(rows.slice(from, from + rowsInOneStatement))
          .execute()
    })
  }
  try {
    await migrate(db, engine)
    await seed(db)
    const service_provider_sid = DEFAULT_SERVICE_PROVIDER
    const voip_carrier_sid = randomUUID()
    const accountRows = Array.from({ length: accounts }, (_, index) => ({
      account_sid: randomUUID(),
      service_provider_sid,
      name: `Customer ${String(index).padStart(5, '0')}`,
      sip_realm: `customer${index}.example.com`,
      webhook_secret: `wh_secret_${index}`,
    }))
    await insert('accounts', accountRows)
    await insert('voip_carriers', [{ voip_carrier_sid, service_provider_sid, name: 'Wholesale' }])
    await insert(
      'phone_numbers',
      Array.from({ length: numbers }, (_, index) => ({
        phone_number_sid: randomUUID(),
        number: `1555${String(index).padStart(7, '0')}`,
        voip_carrier_sid,
        account_sid: accountRows[index % accountRows.length]!.account_sid,
      })),
    )
    // As after a while of normal use: the engine knows how its tables are filled.
    await sql.raw(engine === 'mysql' ? 'analyze table phone_numbers, accounts' : 'analyze').execute(db)
  } finally {
    await close()
  }
}
