import { sql } from 'kysely'
import type { Owner } from '@trunkline/contract/policy/actor'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { chains } from '../../db/tenancy'
import { table, type Connection, type Row, type Store } from '../../db/table'

/** The registration state as an object; the SIP side keeps it as JSON text, and nothing before the first registration. */
const registration = (stored: unknown): object => {
  if (typeof stored !== 'string' || stored === '') return {}
  try {
    const parsed: unknown = JSON.parse(stored)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

/** How many gateways of each carrier take calls in and send calls out, for a whole page in one statement. */
const counted = async (rows: Row[], connection: Connection): Promise<Row[]> => {
  if (rows.length === 0) return rows
  const sids = sql.join(rows.map((row) => row.voip_carrier_sid))
  const counts = await sql<{ sid: string; inbound: number; outbound: number }>`
    select voip_carrier_sid as sid, sum(inbound) as inbound, sum(outbound) as outbound
    from sip_gateways where voip_carrier_sid in (${sids}) group by voip_carrier_sid`.execute(connection)
  const by = new Map(counts.rows.map((each) => [each.sid, each]))
  return rows.map((row) => {
    const found = by.get(row.voip_carrier_sid as string)
    return { ...row, inbound_gateways: Number(found?.inbound ?? 0), outbound_gateways: Number(found?.outbound ?? 0) }
  })
}

export const voipCarriers = (store: Store) => ({
  ...table<VoipCarrier>(store, {
    chain: chains.voip_carrier,
    sortable: ['name', 'account_name', 'is_active', 'created_at'],
    secret: ['register_password', 'inbound_auth_password', 'smpp_password', 'smpp_inbound_password'],
    named: { account_name: sql`na.name` },
    extra: sql`, na.name as account_name`,
    extraJoins: sql`left join accounts na on na.account_sid = t.account_sid`,
    present: async (rows, connection) =>
      (await counted(rows, connection)).map((row) => ({ ...row, register_status: registration(row.register_status) })),
  }),

  /** What keeps a carrier from being deleted: numbers that come in over it and routes that lead to it, at most a hundred each. */
  async dependents(voip_carrier_sid: string): Promise<{ kind: string; sid: string; title: string }[]> {
    const { db } = store.database
    const numbers = sql<Row>`select 'phone_number' as kind, phone_number_sid as sid, number as title
      from phone_numbers where voip_carrier_sid = ${voip_carrier_sid} order by number limit 100`
    const routes = sql<Row>`select distinct 'lcr' as kind, l.lcr_sid as sid, l.name as title
      from lcr_carrier_set_entry e join lcr_routes r on r.lcr_route_sid = e.lcr_route_sid join lcr l on l.lcr_sid = r.lcr_sid
      where e.voip_carrier_sid = ${voip_carrier_sid} limit 100`
    const found = await Promise.all([numbers.execute(db), routes.execute(db)])
    return found.flatMap(({ rows }) => rows as { kind: string; sid: string; title: string }[])
  },

  /** The numbers on a carrier whose accounts could not use it any more if it had another owner, at most a hundred. */
  async strangers(voip_carrier_sid: string, { account_sid, service_provider_sid }: Owner) {
    const other = account_sid
      ? sql`n.account_sid <> ${account_sid}`
      : sql`a.service_provider_sid <> ${service_provider_sid ?? ''}`
    const { rows } = await sql<{ kind: string; sid: string; title: string }>`
      select 'phone_number' as kind, n.phone_number_sid as sid, n.number as title
      from phone_numbers n join accounts a on a.account_sid = n.account_sid
      where n.voip_carrier_sid = ${voip_carrier_sid} and ${other} order by n.number limit 100`.execute(
      store.database.db,
    )
    return rows
  },

  /** Removes a carrier together with its gateways, or nothing. */
  async removeWhole(voip_carrier_sid: string): Promise<void> {
    await store.database.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('sip_gateways').where('voip_carrier_sid', '=', voip_carrier_sid).execute()
      await tx.deleteFrom('smpp_gateways').where('voip_carrier_sid', '=', voip_carrier_sid).execute()
      await tx.deleteFrom('voip_carriers').where('voip_carrier_sid', '=', voip_carrier_sid).execute()
    })
    store.totals.touch('voip_carriers')
  },
})

export type VoipCarriers = ReturnType<typeof voipCarriers>
