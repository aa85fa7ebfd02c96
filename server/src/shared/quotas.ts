import { sql } from 'kysely'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Store } from '../db/repository'
import type { Connection } from '../db/repository-options'
import { Problem } from '../http/problem'

/** How many records of each kind an account may create, and the SQL source to count them. */
const recordQuotas = {
  application: { maxRecords: 50, recordsOfAccount: (sid: string) => sql`applications where account_sid = ${sid}` },
  voip_carrier: { maxRecords: 10, recordsOfAccount: (sid: string) => sql`voip_carriers where account_sid = ${sid}` },
  sip_gateway: {
    maxRecords: 150,
    recordsOfAccount: (sid: string) =>
      sql`sip_gateways g join voip_carriers c on c.voip_carrier_sid = g.voip_carrier_sid where c.account_sid = ${sid}`,
  },
  phone_number: { maxRecords: 200, recordsOfAccount: (sid: string) => sql`phone_numbers where account_sid = ${sid}` },
}

/**
 * Limits how many records an account may create, if the installation enforces quotas. Providers and administrators have
 * no limit.
 */
export const createQuotas = ({ database: { db } }: Store, isEnforced: boolean) => ({
  /**
   * Locks the actor's account until the transaction ends. Call it before the first read: on MySQL a transaction reads the
   * state as of its first read.
   */
  async lockAccount(actor: Actor, tx: Connection): Promise<void> {
    if (!isEnforced || actor.scope !== 'account') return
    const { account_sid } = actor
    await sql`update accounts set account_sid = account_sid where account_sid = ${account_sid}`.execute(tx)
  },

  /**
   * Throws 422 if `additional` more records would exceed the quota of the actor's account. Within a transaction, locks the
   * account until the records are inserted, so that parallel requests do not exceed the quota together.
   */
  async check(kind: keyof typeof recordQuotas, actor: Actor, additional = 1, tx?: Connection): Promise<void> {
    if (!isEnforced || actor.scope !== 'account' || additional <= 0) return
    if (tx) await this.lockAccount(actor, tx)
    const { maxRecords, recordsOfAccount } = recordQuotas[kind]
    const { rows } = await sql<{
      total: number
    }>`select count(*) as total from ${recordsOfAccount(actor.account_sid)}`.execute(tx ?? db)
    const total = Number(rows[0]?.total)
    if (total + additional <= maxRecords) return
    const message = `exceeded limits - you have created ${total} instances of this resource`
    throw new Problem(422, { status: 'fail', message, msg: message })
  },
})

export type Quotas = ReturnType<typeof createQuotas>
