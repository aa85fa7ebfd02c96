import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Page } from '@trunkline/contract/kit/page'
import type { Reach } from '@trunkline/contract/policy/can'
import type { Owner } from '@trunkline/contract/policy/actor'
import type { Database, Engine } from './database'
import type { Tables } from './schema'
import { bounds, within, type OwnerChain } from './tenancy'
import type { Totals } from './totals'
import { wireTime } from './time'

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
/** Up to so many rows are found by the filter's index and sorted at once; of more, the ordered index is read instead. */
const sortedAtOnce = 2000
/** Columns that hold a moment. */
const moments = ['created_at', 'last_used', 'expires_at', 'trial_end_date', 'last_updated']

const all = sql`1 = 1`
const and = (conditions: RawBuilder<unknown>[]) => (conditions.length > 0 ? sql.join(conditions, sql` and `) : all)

/** Text that a column must contain, with the characters that LIKE would read as its own made literal. */
export const contains = (column: RawBuilder<unknown>, text: string) =>
  sql`${column} like ${`%${text.replace(/[!%_]/g, '!$&')}%`} escape '!'`

const momentsOut = (row: Row): Row => {
  for (const name of moments) if (typeof row[name] === 'string') row[name] = wireTime(row[name])
  return row
}

const ownedOut = <R extends object>(row: Row): Owned<R> => {
  const { owner_provider, owner_account, ...columns } = row
  return {
    ...momentsOut(columns),
    owner: { service_provider_sid: owner_provider as string | null, account_sid: owner_account as string | null },
  } as Owned<R>
}

interface Span {
  sort: string | undefined
  total: number
  limit: number
  offset: number
}

/**
 * What makes an engine read a table in the order of this index; nothing where there is no such index, because a
 * platform's own database need not have every one. Asked once.
 */
const orderedIndex = (db: Connection, engine: Engine, table: string, index: string | undefined) => {
  if (!index) return () => Promise.resolve(sql``)
  if (engine === 'sqlite') return () => Promise.resolve(sql`indexed by ${sql.ref(`${table}_${index}`)}`)
  let known: Promise<RawBuilder<unknown>> | undefined
  const ask = async () => {
    const { rows } = await sql`select 1 from information_schema.statistics
      where table_schema = database() and table_name = ${table} and index_name = ${index} limit 1`.execute(db)
    return rows.length > 0 ? sql`force index for order by (${sql.ref(index)})` : sql``
  }
  return () => {
    known ??= ask().catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
}

/** The five words of a repository over one table. Every row comes with its owner, every look-up stays inside a reach. */
export const table = <R extends object>({ database: { db, engine }, totals }: Store, ways: Ways) => {
  const { chain, extra = sql``, extraJoins = sql`` } = ways
  const name = chain.table
  const key = sql.ref(`t.${chain.key}`)
  const plain = sql`from ${sql.table(name)} t`
  const joins = sql`${chain.joins} ${extraJoins}`
  const whole = sql`select t.*, ${chain.provider} as owner_provider, ${chain.account} as owner_account ${extra}`

  const present = async (rows: Row[], connection: Connection) =>
    (ways.present ? await ways.present(rows, connection) : rows).map((row) => ownedOut<R>(row))

  /** What of these rows goes to whoever has this reach. */
  const seenFrom = (reach: Reach, rows: Owned<R>[]): Owned<R>[] => {
    const { secret } = ways
    if (!secret || !('account_sid' in reach)) return rows
    const nothing = Object.fromEntries(secret.map((column) => [column, null]))
    return rows.map((row) => (row.owner.account_sid === null ? { ...row, ...nothing } : row))
  }

  const select = (where: RawBuilder<unknown>, tail = sql``) =>
    sql<Row>`${whole} ${plain} ${joins} where ${where} ${tail}`

  const orderOf = (sort: string | undefined, fallback: string) => {
    const wanted = sort?.replace(/^-/, '')
    const column = wanted && ways.sortable.includes(wanted) ? wanted : fallback
    const descending = column === wanted && sort?.startsWith('-') === true
    const joined = ways.named?.[column]
    const towards = (down: boolean) => (down ? sql`desc` : sql`asc`)
    // The key settles ties, so that no row is on two pages or on none.
    const by = (down: boolean) =>
      sql`order by ${joined ?? sql.ref(`t.${column}`)} ${towards(down)}, ${key} ${towards(down)}`
    return { by: by(descending), backwards: by(!descending), column, joined: joined !== undefined }
  }

  const ordered = orderedIndex(db, engine, name, ways.ordered)

  /** Of a large table the ordered index is read: both engines else take a filter's index and sort everything. */
  const hint = async (total: number, column: string) =>
    total > sortedAtOnce && column === ways.sortable[0] ? ordered() : sql``

  /** One page: its keys out of an index where there is one, and the whole rows and their joins only for those. */
  const pageOf = async (where: RawBuilder<unknown>, { sort, total, limit, offset }: Span) => {
    const { by, backwards, joined, column } = orderOf(sort, ways.sortable[0])
    const from = sql`${plain} ${await hint(total, column)} ${joined ? joins : sql``}`
    // Rows that are skipped are read all the same, so the second half of a list is read from its end.
    const fromEnd = offset > total / 2
    const rows = Math.max(0, Math.min(limit, total - offset))
    const part = fromEnd
      ? sql`${backwards} limit ${rows} offset ${Math.max(0, total - offset - rows)}`
      : sql`${by} limit ${limit} offset ${offset}`
    const keys = sql`select ${key} as page_key ${from} where ${where} ${part}`
    return sql<Row>`${whole} from (${keys}) p join ${sql.table(name)} t on ${key} = p.page_key ${joins} ${by}`
  }

  /** How many rows fulfil one of the alternatives and the rest. Each is counted alone, by an index of its own: an `or` has none. */
  const count = async (alternatives: RawBuilder<unknown>[], rest: RawBuilder<unknown>) => {
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
      const rest = and([
        ...(provider !== undefined && reach === asked ? [within({ service_provider_sid: provider }, chain)] : []),
        ...conditions,
      ])
      const where = and([within(reach, chain), rest])
      if (page === undefined) {
        const { rows } = await select(where, orderOf(sort, ways.unpaged ?? ways.sortable[0]).by).execute(db)
        return seenFrom(reach, await present(rows, db))
      }
      const limit = page_size ?? pageSizeWithoutOne
      const total = await count(bounds(reach, chain), rest)
      const statement = await pageOf(where, { sort, total, limit, offset: (page - 1) * limit })
      const { rows } = await statement.execute(db)
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

    async remove(sid: string, connection: Connection = db): Promise<void> {
      await sql`delete from ${sql.table(name)} where ${sql.ref(chain.key)} = ${sid}`.execute(connection)
      totals.touch(name)
    },
  }
}

/** A flag as a column keeps it. */
const asColumn = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)

export type Repository<R extends object = Row> = ReturnType<typeof table<R>>
