import { sql, type RawBuilder } from 'kysely'
import type { Page } from '@trunkline/contract/kit/page'
import type { Reach } from '@trunkline/contract/policy/can'
import type { Owner } from '@trunkline/contract/policy/actor'
import type { Database } from './database'
import { paging, selectParts } from './paging'
import type { Connection, RepositoryOptions, Row } from './repository-options'
import { reachConditions, reachCondition, rowReachCondition } from './tenancy'
import type { ListCount, ListCounts } from './list-counts'
import { toWireTime } from './time'

/** What all repositories share. */
export interface Store {
  database: Database
  listCounts: ListCounts
}

/** A row with its owner, as repositories return it. */
export type WithOwner<R extends object = Row> = R & { owner: Owner }

/** Filter, sort order and page of a list. */
export interface ListOptions {
  page?: number
  page_size?: number
  sort?: string
  /** Keeps only the records of this provider and its accounts. */
  provider?: string
  /** Further conditions. They may use only the columns of the table `t`, without joins. */
  where?: RawBuilder<unknown>[]
}

/** If the query has `page` without `page_size`. */
const defaultPageSize = 50
const timestampColumns = ['created_at', 'last_used', 'last_tested', 'expires_at', 'trial_end_date', 'last_updated']

const always = sql`1 = 1`
const and = (conditions: RawBuilder<unknown>[]) => (conditions.length > 0 ? sql.join(conditions, sql` and `) : always)

/**
 * A case-insensitive substring match. The wildcards of LIKE are escaped. SQLite's LIKE ignores case for ASCII only, so a
 * text with other characters (more bytes than characters) is folded first; MySQL folds by itself.
 */
export const containsText = (column: RawBuilder<unknown>, text: string) => {
  const pattern = sql`lcase(${`%${text.replace(/[!%_]/g, '!$&')}%`})`
  return sql`(${column} like ${pattern} escape '!'
    or (octet_length(${column}) <> length(${column}) and lcase(${column}) like ${pattern} escape '!'))`
}

/** Equality that ignores case and, as on MySQL, accents: people would not tell such names apart. */
export const equalsText = (column: RawBuilder<unknown>, text: string) => sql`lcase(${column}) = lcase(${text})`

const formatTimestamps = (row: Row): Row => {
  for (const name of timestampColumns) if (typeof row[name] === 'string') row[name] = toWireTime(row[name])
  return row
}

const withOwner = <R extends object>(row: Row): WithOwner<R> => {
  const { owner_provider, owner_account, ...columns } = row
  return {
    ...formatTimestamps(columns),
    owner: { service_provider_sid: owner_provider as string | null, account_sid: owner_account as string | null },
  } as WithOwner<R>
}

/** The standard queries of one table. Every row is returned with its owner, and every read is limited to an actor's reach. */
export const repository = <R extends object>(
  { database: { db, engine }, listCounts }: Store,
  options: RepositoryOptions,
) => {
  const { chain } = options
  const name = chain.table
  const { key, fromTable, joins, selectRows } = selectParts(options)
  const pages = paging({ db, engine }, options)

  const present = async (rows: Row[], connection: Connection) =>
    (options.present ? await options.present(rows, connection) : rows).map((row) => withOwner<R>(row))

  const hideProviderOnlyColumns = (reach: Reach, rows: WithOwner<R>[]): WithOwner<R>[] => {
    const { providerOnlyColumns } = options
    if (!providerOnlyColumns || !('account_sid' in reach)) return rows
    const hiddenValues = (row: object): Row =>
      Object.fromEntries(providerOnlyColumns.filter((column) => column in row).map((column) => [column, null]))
    return rows.map((row) => (row.owner.account_sid === null ? { ...row, ...hiddenValues(row) } : row))
  }

  const select = (where: RawBuilder<unknown>, orderClause = sql``) =>
    sql<Row>`${selectRows} ${fromTable} ${joins} where ${where} ${orderClause}`

  /** Counts the rows that match one alternative and the filters. One count per alternative can use an index; an `or` cannot. */
  const count = (alternatives: RawBuilder<unknown>[], filters: RawBuilder<unknown>): Promise<ListCount> => {
    const counts = alternatives.map(
      (alternative) => sql`(select count(*) ${fromTable} where ${alternative} and ${filters})`,
    )
    const statement = sql<{ total: number | string }>`select ${sql.join(counts, sql` + `)} as total`
    const { sql: text, parameters } = statement.compile(db)
    return listCounts.get(`${text} ${JSON.stringify(parameters)}`, [name, 'accounts', 'voip_carriers'], async () =>
      Number((await statement.execute(db)).rows[0]?.total ?? 0),
    )
  }

  /** For an administrator, filtering by a provider means seeing exactly the records that the provider sees. */
  const narrowReach = (reach: Reach, provider: string | undefined): Reach =>
    provider !== undefined && 'all' in reach ? { service_provider_sid: provider } : reach

  return {
    chain,

    /** All rows in reach; with `page`, one page of them and their total. */
    async list(
      actorReach: Reach,
      { page, page_size, sort, provider, where: conditions = [] }: ListOptions = {},
    ): Promise<WithOwner<R>[] | Page<WithOwner<R>>> {
      const reach = narrowReach(actorReach, provider)
      const filtersByProvider =
        provider !== undefined && !('service_provider_sid' in reach && reach.service_provider_sid === provider)
      const filters = and([
        ...(filtersByProvider ? [reachCondition({ service_provider_sid: provider }, chain)] : []),
        ...conditions,
      ])
      const where = and([reachCondition(reach, chain), filters])
      if (page === undefined) {
        const { rows } = await select(
          where,
          pages.orderBy(sort, options.unpagedSort ?? options.sortableColumns[0]),
        ).execute(db)
        return hideProviderOnlyColumns(reach, await present(rows, db))
      }
      const limit = page_size ?? defaultPageSize
      const listCount = await count(reachConditions(reach, chain), filters)
      const rows = await pages.read({
        where,
        rowWhere: and([rowReachCondition(reach, chain), filters]),
        sort,
        listCount,
        limit,
        offset: (page - 1) * limit,
      })
      const { total } = listCount
      return {
        total,
        page,
        page_size: page_size ?? null,
        data: hideProviderOnlyColumns(reach, await present(rows, db)),
      }
    },

    /** The row, or undefined if it does not exist or is out of reach. */
    async find(reach: Reach, sid: string, connection: Connection = db): Promise<WithOwner<R> | undefined> {
      const { rows } = await select(and([sql`${key} = ${sid}`, reachCondition(reach, chain)])).execute(connection)
      return hideProviderOnlyColumns(reach, await present(rows, connection))[0]
    },

    async insert(values: Row, connection: Connection = db): Promise<void> {
      await connection.insertInto(name).values(values).execute()
      listCounts.invalidate(name)
    },

    /** Sets the columns whose value is not undefined. */
    async update(sid: string, values: Row, connection: Connection = db): Promise<void> {
      const assignments = Object.entries(values).filter(([, value]) => value !== undefined)
      if (assignments.length === 0) return
      const set = sql.join(assignments.map(([column, value]) => sql`${sql.ref(column)} = ${toColumnValue(value)}`))
      await sql`update ${sql.table(name)} set ${set} where ${sql.ref(chain.key)} = ${sid}`.execute(connection)
      listCounts.invalidate(name)
    },

    /** Locks a row until the transaction ends. The update makes both engines wait for each other's lock. */
    async lockRow(sid: string, tx: Connection): Promise<void> {
      const key = sql.ref(chain.key)
      await sql`update ${sql.table(name)} set ${key} = ${key} where ${key} = ${sid}`.execute(tx)
    },

    async remove(sid: string, connection: Connection = db): Promise<void> {
      await sql`delete from ${sql.table(name)} where ${sql.ref(chain.key)} = ${sid}`.execute(connection)
      listCounts.invalidate(name)
    },
  }
}

/** Booleans are stored as 0 or 1. */
export const toColumnValue = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)

export type Repository<R extends object = Row> = ReturnType<typeof repository<R>>
