import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Page } from '@trunkline/contract/kit/page'
import type { Reach } from '@trunkline/contract/policy/can'
import type { Owner } from '@trunkline/contract/policy/actor'
import type { Database } from './database'
import { paged, partsOf } from './pages'
import type { Tables } from './schema'
import { bounds, within, withinRow, type OwnerChain } from './tenancy'
import type { Counted, Totals } from './totals'
import { toWireTime } from './time'

/** The database with what every repository shares. */
export interface Store {
  database: Database
  totals: Totals
}

/** A transaction's own object, or the database's when there is none. On SQLite the outer one would wait for ever inside. */
export type Connection = Kysely<Tables>

export type Row = Record<string, unknown>

/** A row as it leaves a repository: its columns, and who owns it. */
export type Owned<R extends object = Row> = R & { owner: Owner }

/** What a list is asked for, beyond who asks. */
export interface Look {
  page?: number
  page_size?: number
  sort?: string
  /** Only what belongs to this provider. */
  provider?: string
  /** Conditions of the resource's own, over the columns of `t` alone. */
  where?: RawBuilder<unknown>[]
}

export interface Ways {
  chain: OwnerChain
  /** Columns by which a list may be sorted; the first is the order of a paged list. */
  sortable: readonly [string, ...string[]]
  /** The order of an unpaged list, where it differs. */
  unpaged?: string
  /** Columns of a provider's shared record that its accounts do not get to see: they come out as null. */
  secret?: readonly string[]
  /** For tables that grow large: the index that holds the first sortable column, by its name in the platform's schema. */
  ordered?: string
  /** Sortable columns that are no columns of the table: what they stand for, over the joins. */
  named?: Record<string, RawBuilder<unknown>>
  /** Further columns of a row, such as the names of what it points at. */
  extra?: RawBuilder<unknown>
  extraJoins?: RawBuilder<unknown>
  /** Turns a database row into the contract's row, several at once so that what they point at is read in one go. */
  present?: (rows: Row[], connection: Connection) => Promise<Row[]>
}

/** Rows of a page when the query names none. */
const pageSizeWithoutOne = 50
/** Columns that hold a moment. */
const moments = ['created_at', 'last_used', 'last_tested', 'expires_at', 'trial_end_date', 'last_updated']

const all = sql`1 = 1`
const and = (conditions: RawBuilder<unknown>[]) => (conditions.length > 0 ? sql.join(conditions, sql` and `) : all)

/**
 * Text that a column must contain, with the characters that LIKE would read as its own made literal. On SQLite a text
 * with other letters than those of ASCII (its bytes are more than its letters) is folded first; MySQL does so by itself.
 */
export const contains = (column: RawBuilder<unknown>, text: string) => {
  const pattern = sql`lcase(${`%${text.replace(/[!%_]/g, '!$&')}%`})`
  return sql`(${column} like ${pattern} escape '!'
    or (octet_length(${column}) <> length(${column}) and lcase(${column}) like ${pattern} escape '!'))`
}

/** Text that a column must be. Case and, as on MySQL, accents make no difference, because people would not tell them apart. */
export const reads = (column: RawBuilder<unknown>, text: string) => sql`lcase(${column}) = lcase(${text})`

const momentsOut = (row: Row): Row => {
  for (const name of moments) if (typeof row[name] === 'string') row[name] = toWireTime(row[name])
  return row
}

const ownedOut = <R extends object>(row: Row): Owned<R> => {
  const { owner_provider, owner_account, ...columns } = row
  return {
    ...momentsOut(columns),
    owner: { service_provider_sid: owner_provider as string | null, account_sid: owner_account as string | null },
  } as Owned<R>
}

/** The five words of a repository over one table. Every row comes with its owner, every look-up stays inside a reach. */
export const table = <R extends object>({ database: { db, engine }, totals }: Store, ways: Ways) => {
  const { chain } = ways
  const name = chain.table
  const { key, plain, joins, whole } = partsOf(ways)
  const pages = paged({ db, engine }, ways)

  const present = async (rows: Row[], connection: Connection) =>
    (ways.present ? await ways.present(rows, connection) : rows).map((row) => ownedOut<R>(row))

  /** What of these rows goes to whoever has this reach. */
  const seenFrom = (reach: Reach, rows: Owned<R>[]): Owned<R>[] => {
    const { secret } = ways
    if (!secret || !('account_sid' in reach)) return rows
    const nothing = (row: object): Row =>
      Object.fromEntries(secret.filter((column) => column in row).map((column) => [column, null]))
    return rows.map((row) => (row.owner.account_sid === null ? { ...row, ...nothing(row) } : row))
  }

  const select = (where: RawBuilder<unknown>, tail = sql``) =>
    sql<Row>`${whole} ${plain} ${joins} where ${where} ${tail}`

  /** How many rows fulfil one of the alternatives and the rest. Each is counted alone, by an index of its own: an `or` has none. */
  const count = (alternatives: RawBuilder<unknown>[], rest: RawBuilder<unknown>): Promise<Counted> => {
    const parts = alternatives.map((each) => sql`(select count(*) ${plain} where ${each} and ${rest})`)
    const statement = sql<{ total: number | string }>`select ${sql.join(parts, sql` + `)} as total`
    const { sql: text, parameters } = statement.compile(db)
    return totals.get(`${text} ${JSON.stringify(parameters)}`, [name, 'accounts', 'voip_carriers'], async () =>
      Number((await statement.execute(db)).rows[0]?.total ?? 0),
    )
  }

  /** Who may see everything and asks for one provider sees what that provider sees. */
  const narrowed = (reach: Reach, provider: string | undefined): Reach =>
    provider !== undefined && 'all' in reach ? { service_provider_sid: provider } : reach

  return {
    chain,

    /** All rows in reach, or with `page` one page of them with the number of all. */
    async list(
      asked: Reach,
      { page, page_size, sort, provider, where: conditions = [] }: Look = {},
    ): Promise<Owned<R>[] | Page<Owned<R>>> {
      const reach = narrowed(asked, provider)
      const further =
        provider !== undefined && !('service_provider_sid' in reach && reach.service_provider_sid === provider)
      const rest = and([...(further ? [within({ service_provider_sid: provider }, chain)] : []), ...conditions])
      const where = and([within(reach, chain), rest])
      if (page === undefined) {
        const { rows } = await select(where, pages.order(sort, ways.unpaged ?? ways.sortable[0])).execute(db)
        return seenFrom(reach, await present(rows, db))
      }
      const limit = page_size ?? pageSizeWithoutOne
      const counted = await count(bounds(reach, chain), rest)
      const rows = await pages.read({
        where,
        whereRow: and([withinRow(reach, chain), rest]),
        sort,
        counted,
        limit,
        offset: (page - 1) * limit,
      })
      const { total } = counted
      return { total, page, page_size: page_size ?? null, data: seenFrom(reach, await present(rows, db)) }
    },

    /** One row, if it exists and lies inside the reach. */
    async find(reach: Reach, sid: string, connection: Connection = db): Promise<Owned<R> | undefined> {
      const { rows } = await select(and([sql`${key} = ${sid}`, within(reach, chain)])).execute(connection)
      return seenFrom(reach, await present(rows, connection))[0]
    },

    async add(values: Row, connection: Connection = db): Promise<void> {
      await connection.insertInto(name).values(values).execute()
      totals.touch(name)
    },

    /** Changes the named columns only; nothing to change is no statement at all. */
    async change(sid: string, values: Row, connection: Connection = db): Promise<void> {
      const named = Object.entries(values).filter(([, value]) => value !== undefined)
      if (named.length === 0) return
      const set = sql.join(named.map(([column, value]) => sql`${sql.ref(column)} = ${asColumn(value)}`))
      await sql`update ${sql.table(name)} set ${set} where ${sql.ref(chain.key)} = ${sid}`.execute(connection)
      totals.touch(name)
    },

    /** Holds a row until the transaction ends: who holds the same one comes after it, on either engine. */
    async hold(sid: string, tx: Connection): Promise<void> {
      const key = sql.ref(chain.key)
      await sql`update ${sql.table(name)} set ${key} = ${key} where ${key} = ${sid}`.execute(tx)
    },

    async remove(sid: string, connection: Connection = db): Promise<void> {
      await sql`delete from ${sql.table(name)} where ${sql.ref(chain.key)} = ${sid}`.execute(connection)
      totals.touch(name)
    },
  }
}

/** A flag as a column keeps it. */
export const asColumn = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)

export type Repository<R extends object = Row> = ReturnType<typeof table<R>>
