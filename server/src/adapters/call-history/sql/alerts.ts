import { sql } from 'kysely'
import type { Store } from '../../../db/repository'
import type { AlertLook, Found, Tenant } from '../../../ports/call-history'
import { kindOfAlert, momentOf, spanOf } from './time-ids'
import type { Reading, Walk } from './read'
import { ownerOf, storedOf, type Stored } from './stored-rows'

/** A group of alerts as it is read: its newest alert, and what is known of all of them. */
export interface StoredGroup {
  newest: Stored
  count: number
  first: string
  accounts: number
}

/** Groups of one list at most: with more, the oldest are left out. */
const maxGroups = 5000

/** Fields of an alert that a text is searched in, besides its type. */
const searchedFields = ['message', 'detail', 'vendor']

/** Reads pages of alerts, one by one and in groups. */
export const sqlAlerts = (
  { database: { db } }: Pick<Store, 'database'>,
  oldest: () => number,
  { byHours, byCounting, hinted, where, inPoint }: Reading,
) => {
  const containing = (text: string) => {
    const sought = text.toLowerCase()
    const within = [sql`alert_type`, ...searchedFields.map(inPoint)].map(
      (value) => sql`instr(lower(coalesce(${value}, '')), ${sought}) > 0`,
    )
    return sql`(${sql.join([...within, sql`${inPoint('target_sid')} = ${text.trim()}`], sql` or `)})`
  }

  const walkOf = (of: Tenant, look: AlertLook): Walk => {
    const { word, owner, owner_sid, offset } = ownerOf(of)
    const { alert_type, text, message } = look
    return {
      shelf: 'trunkline_alerts',
      of,
      index: `${word}_${alert_type === undefined ? 'idx' : 'type_idx'}`,
      owner,
      owner_sid,
      span: spanOf(look, oldest()),
      rest: [
        ...(alert_type === undefined ? [] : [sql`alert_type = ${alert_type}`]),
        ...(text ? [containing(text)] : []),
        ...(message === undefined ? [] : [sql`${inPoint('message')} = ${message}`]),
      ],
      kinds: [kindOfAlert + offset],
    }
  }

  return {
    list(of: Tenant, look: AlertLook): Promise<Found<Stored>> {
      const walk = walkOf(of, look)
      return walk.rest.length === 0 ? byHours(walk, look) : byCounting(walk, look)
    },

    async groups(of: Tenant, look: AlertLook): Promise<Found<StoredGroup>> {
      const walk = walkOf(of, look)
      const { rows } = await sql<{ last: number; first: number; number: number | string; accounts: number | string }>`
        select max(id) as last, min(id) as first, count(*) as number, count(distinct account_sid) as accounts
        from ${hinted(walk)} where ${where(walk)}
        group by alert_type, ${inPoint('message')} order by 1 desc limit ${maxGroups}`.execute(db)
      const page = rows.slice((look.page - 1) * look.count, look.page * look.count)
      if (page.length === 0) return { total: rows.length, rows: [] }
      const newest = await sql<{ id: number; point: string }>`select id, point from trunkline_alerts
        where id in (${sql.join(page.map(({ last }) => last))}) and ${walk.owner} order by id desc`.execute(db)
      const stored = new Map(storedOf(newest.rows).map((row, at) => [newest.rows[at]!.id, row]))
      return {
        total: rows.length,
        rows: page.flatMap(({ last, first, number, accounts }) => {
          const row = stored.get(last)
          // deleted since the groups were read
          if (!row) return []
          const since = new Date(momentOf(first)).toISOString()
          return { newest: row, count: Number(number), first: since, accounts: Number(accounts) }
        }),
      }
    },
  }
}
