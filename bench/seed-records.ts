import { randomUUID } from 'node:crypto'
import { sql, type Insertable } from 'kysely'
import { openDatabase } from '../server/src/db/database'
import { migrate } from '../server/src/db/migrate'
import type { Tables } from '../server/src/db/schema'
import { seed } from '../server/src/db/seed'
import { defaultServiceProviderSid } from '../server/src/db/seed-data'

const batchSize = 500

/** The number of records of each kind in a benchmark. */
export interface RecordCounts {
  accounts: number
  applications: number
  users: number
  carriers: number
  numbers: number
}

const fiveDigits = (index: number) => String(index).padStart(5, '0')

/**
 * Fills a database like a large provider's: records are spread over its `accounts`, all numbers use one of its
 * carriers. Bypasses the API, because the benchmark measures reading them.
 */
export const addRecords = async (
  url: string,
  { accounts, applications, users, carriers, numbers }: RecordCounts,
): Promise<void> => {
  const { db, engine, close } = openDatabase(url)
  const service_provider_sid = defaultServiceProviderSid
  const insert = async <Name extends keyof Tables>(
    name: Name,
    count: number,
    row: (index: number) => Insertable<Tables[Name]>,
  ) => {
    const rows = Array.from({ length: count }, (_, index) => row(index))
    await db.transaction().execute(async (tx) => {
      for (let offset = 0; offset < count; offset += batchSize)
        await tx
          .insertInto(name)
          .values(rows.slice(offset, offset + batchSize))
          .execute()
    })
    return rows
  }
  try {
    await migrate(db)
    await seed(db)
    const accountRows = await insert('accounts', accounts, (index) => ({
      account_sid: randomUUID(),
      service_provider_sid,
      name: `Customer ${fiveDigits(index)}`,
      sip_realm: `customer${index}.example.com`,
      webhook_secret: `wh_secret_${index}`,
    }))
    const accountOf = (index: number) => accountRows[index % accountRows.length]!.account_sid
    const [webhook] = await insert('webhooks', 1, () => ({
      webhook_sid: randomUUID(),
      url: 'https://apps.example.com/call',
    }))
    await insert('applications', applications, (index) => ({
      application_sid: randomUUID(),
      account_sid: accountOf(index),
      name: `Application ${fiveDigits(index)}`,
      call_hook_sid: webhook!.webhook_sid,
      call_status_hook_sid: webhook!.webhook_sid,
    }))
    await insert('users', users, (index) => ({
      user_sid: randomUUID(),
      name: `user${fiveDigits(index)}`,
      email: `user${index}@example.com`,
      provider: 'local',
      account_sid: accountOf(index),
      service_provider_sid,
    }))
    const carrierRows = await insert('voip_carriers', carriers, (index) => ({
      voip_carrier_sid: randomUUID(),
      service_provider_sid,
      name: `Carrier ${fiveDigits(index)}`,
    }))
    await insert('sip_gateways', 2 * carriers, (index) => ({
      sip_gateway_sid: randomUUID(),
      voip_carrier_sid: carrierRows[index % carriers]!.voip_carrier_sid,
      ipv4: `192.0.${2 + Math.floor(index / 250)}.${1 + (index % 250)}`,
      port: 5060,
      inbound: index < carriers ? 1 : 0,
      outbound: index < carriers ? 0 : 1,
    }))
    const { voip_carrier_sid } = carrierRows[0]!
    await insert('phone_numbers', numbers, (index) => ({
      phone_number_sid: randomUUID(),
      number: `1555${String(index).padStart(7, '0')}`,
      voip_carrier_sid,
      // One account owns the first tenth, because an application can be assigned only to numbers of its account.
      account_sid: accountOf(index < numbers / 10 ? 0 : index),
    }))
    // Updates the statistics of the query planner, as after a period of normal use.
    const tables = 'phone_numbers, accounts, applications, users, voip_carriers, sip_gateways'
    await sql.raw(engine === 'mysql' ? `analyze table ${tables}` : 'analyze').execute(db)
  } finally {
    await close()
  }
}
