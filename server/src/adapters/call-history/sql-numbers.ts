import { sql } from 'kysely'
import type { Connection, Store } from '../../db/table'
import { kindOfCall, lastId, ownerDigest } from './sql-places'

/** What a row of calls says that is looked for or filtered by together with a text. */
export interface Numbered {
  id: number
  service_provider_sid: string | null
  account_sid: string | null
  direction: string | null
  answered: number | null
  sip_status: number
  seconds: number
  delay: number | null
  trunk: string | null
  numbers: Buffer
}

const columns = ['owner_digest', 'id', 'numbers', 'kind', 'sip_status', 'seconds', 'delay', 'trunk'] as const
type Line = Record<(typeof columns)[number], unknown> & { owner_digest: number; id: number }

const read = sql.join(
  (
    [
      'id',
      'service_provider_sid',
      'account_sid',
      'direction',
      'answered',
      'sip_status',
      'seconds',
      'delay',
      'trunk',
      'numbers',
    ] satisfies (keyof Numbered)[]
  ).map((name) => sql.ref(name)),
)

/** Rows of one statement. */
const chunk = 500

/** Calls that are caught up in one transaction, so that nobody waits long behind it. */
const atOnce = 500

/** Under which name it is kept how far the numbers of older calls have been caught up. */
const work = 'call numbers'

type Owners = Pick<Numbered, 'service_provider_sid' | 'account_sid'>

const ownersOf = ({ service_provider_sid, account_sid }: Owners): number[] => [
  ...(service_provider_sid === null ? [] : [ownerDigest({ service_provider_sid })]),
  ...(account_sid === null ? [] : [ownerDigest({ account_sid })]),
]

/** The kind under which hours count a row. */
export const kindOfRow = ({ direction, answered }: Pick<Numbered, 'direction' | 'answered'>): number =>
  kindOfCall(direction ?? undefined, answered === null ? undefined : answered === 1)

const linesOf = (row: Numbered): Line[] =>
  ownersOf(row).map((owner_digest) => ({ ...row, owner_digest, kind: kindOfRow(row) }))

/** Keeps the numbers of calls, in place of those that were kept of them before. */
export const keepNumbers = async (trx: Connection, rows: readonly Numbered[]): Promise<void> => {
  // in one order for all, so that two processes do not wait for each other
  const lines = rows
    .flatMap(linesOf)
    .toSorted((one, other) => one.owner_digest - other.owner_digest || one.id - other.id)
  for (let at = 0; at < lines.length; at += chunk)
    await sql`replace into trunkline_call_numbers (${sql.join(columns.map((name) => sql.ref(name)))})
      values ${sql.join(
        lines.slice(at, at + chunk).map((line) => sql`(${sql.join(columns.map((name) => line[name]))})`),
      )}`.execute(trx)
}

/** Forgets what was kept of a call, for owners that are its owners no more. */
export const dropNumbers = async (trx: Connection, before: Numbered, now: Owners): Promise<void> => {
  const left = ownersOf(before).filter((owner) => !ownersOf(now).includes(owner))
  if (left.length > 0)
    await sql`delete from trunkline_call_numbers
      where owner_digest in (${sql.join(left)}) and id = ${before.id}`.execute(trx)
}

/** Forgets the numbers of all calls before an id. The calls themselves must still be there: they say whose they are. */
export const pruneNumbers = async (trx: Connection, end: number): Promise<void> => {
  const { rows } = await sql<Owners>`
    select distinct service_provider_sid, account_sid from trunkline_calls where id < ${end}`.execute(trx)
  const owners = [...new Set(rows.flatMap(ownersOf))].toSorted((one, other) => one - other)
  for (let at = 0; at < owners.length; at += chunk)
    await sql`delete from trunkline_call_numbers
      where owner_digest in (${sql.join(owners.slice(at, at + chunk))}) and id < ${end}`.execute(trx)
}

/** Whether all calls can be looked for by their numbers, and what makes those of older versions so. */
export const callNumbers = ({ database: { db, engine } }: Store) => {
  let done = false

  const reachedIn = async (connection: Connection, lock = sql``): Promise<number> => {
    const { rows } = await sql<{ reached: number }>`
      select reached from trunkline_progress where name = ${work} ${lock}`.execute(connection)
    return rows[0]?.reached ?? 0
  }

  /**
   * One transaction's part of it. From the oldest calls to the newest, as they once came: an engine that is given rows
   * in their order fills its pages, and half empty ones take twice as long to read. Is it all done?
   */
  const step = () =>
    db.transaction().execute(async (trx) => {
      // of several processes one works, and the others go on behind it
      const [held, kept] = engine === 'mysql' ? [sql`for update`, sql`lock in share mode`] : [sql``, sql``]
      const reached = await reachedIn(trx, held)
      if (reached === lastId) return true
      // held until the commit: who is told more of one of these calls, or forgets it, does so before or after
      const { rows } = await sql<Numbered>`select ${read} from trunkline_calls
        where id > ${reached} order by id limit ${atOnce} ${kept}`.execute(trx)
      await keepNumbers(trx, rows)
      const next = rows.length < atOnce ? lastId : rows.at(-1)!.id
      await sql`update trunkline_progress set reached = ${next} where name = ${work}`.execute(trx)
      return next === lastId
    })

  return {
    /** Are all calls to be found? What is once done stays done. */
    async ready(): Promise<boolean> {
      done ||= (await reachedIn(db)) === lastId
      return done
    },

    /** Catches up what an older version kept, and rests as long as it works, so that others come to their turn. */
    async catchUp(stopped: AbortSignal): Promise<void> {
      const unlessThere = engine === 'mysql' ? sql`insert ignore` : sql`insert or ignore`
      await sql`${unlessThere} into trunkline_progress (name, reached) values (${work}, 0)`.execute(db)
      while (!stopped.aborted) {
        const since = performance.now()
        if (await step()) return
        await new Promise((rested) => setTimeout(rested, performance.now() - since))
      }
    },
  }
}
