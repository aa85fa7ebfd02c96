import { sql } from 'kysely'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Store } from '../db/repository'
import { Problem } from '../http/problem'

/** How many records of a kind an account may make for itself, and how they are found. */
const maxRecords = {
  application: { most: 50, of: (sid: string) => sql`applications where account_sid = ${sid}` },
  voip_carrier: { most: 10, of: (sid: string) => sql`voip_carriers where account_sid = ${sid}` },
  sip_gateway: {
    most: 150,
    of: (sid: string) =>
      sql`sip_gateways g join voip_carriers c on c.voip_carrier_sid = g.voip_carrier_sid where c.account_sid = ${sid}`,
  },
  phone_number: { most: 200, of: (sid: string) => sql`phone_numbers where account_sid = ${sid}` },
}

/** Keeps an account, where the installation wants it so, from filling the database. Providers and administrators are free. */
export const quotas = ({ database: { db } }: Store, isEnforced: boolean) => ({
  /** Throws 422 when the caller's account already has too many to make so many more. */
  async check(kind: keyof typeof maxRecords, actor: Actor, additional = 1): Promise<void> {
    if (!isEnforced || actor.scope !== 'account' || additional === 0) return
    const { most: max, of: source } = maxRecords[kind]
    const { rows } = await sql<{ total: number }>`select count(*) as total from ${source(actor.account_sid)}`.execute(
      db,
    )
    const total = Number(rows[0]?.total)
    if (total + additional <= max) return
    const message = `exceeded limits - you have created ${total} instances of this resource`
    throw new Problem(422, { status: 'fail', message, msg: message })
  },
})

export type Quotas = ReturnType<typeof quotas>
