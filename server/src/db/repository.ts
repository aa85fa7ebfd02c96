import { sql, type RawBuilder } from 'kysely'
import type { Page } from '@trunkline/contract/kit/page'
import type { Reach } from '@trunkline/contract/policy/can'
import type { Owner } from '@trunkline/contract/policy/actor'
import type { Database } from './database'
import type { ListCache } from './list-cache'
import { createPager } from './paging'
import type { Connection, RepositoryOptions, Row } from './repository-options'
import { buildSelectFragments, joinWithAnd } from './select-fragments'
import { listReachConditions, buildReachCondition, buildRowReachCondition, type Ownership } from './tenancy'
import { toWireTime } from './time'

/** The database and the cached lists, which all repositories share. */
export interface Store {
  database: Database
  listCache: ListCache
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
  /** A text that columns of `t` must contain, as a condition. Few rows usually do, so it is checked before the owner. */
  text?: RawBuilder<unknown> | undefined
}

/** If the query has `page` without `page_size`. */
const defaultPageSize = 50
const timestampColumns = ['created_at', 'last_used', 'last_tested', 'expires_at', 'trial_end_date', 'last_updated']

/**
 * A case-insensitive substring match. The wildcards of LIKE are escaped. SQLite's LIKE ignores case for ASCII only, so a
 * text with other characters (more bytes than characters) is folded first; MySQL folds by itself.
 */
export const containsText = (column: RawBuilder<unknown>, text: string) => {
  const pattern = sql`lcase(${`%${text.replace(/[!%_]/g, '!$&')}%`})`
  return sql`(${column} like ${pattern} escape '!'
    or (octet_length(${column}) <> length(${column}) and lcase(${column}) like ${pattern} escape '!'))`
}

/** Equality that ignores case and, as on MySQL, accents: people do not distinguish such names. */
export const equalsText = (column: RawBuilder<unknown>, text: string) => sql`lcase(${column}) = lcase(${text})`

/** Whether a row has these values, of which some may be null. */
export const hasValues = (values: Row) =>
  joinWithAnd(
    Object.entries(values).map(([column, value]) =>
      value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
    ),
  )

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

/** For an administrator, filtering by a provider means seeing exactly the records that the provider sees. */
const narrowReach = (reach: Reach, provider: string | undefined): Reach =>
  provider !== undefined && 'all' in reach ? { service_provider_sid: provider } : reach

/** Sets the columns of a provider's shared records that users of its accounts may not see to null. */
const hideProviderOnlyColumns = <R extends object>(
  reach: Reach,
  rows: WithOwner<R>[],
  { providerOnlyColumns }: RepositoryOptions,
): WithOwner<R>[] => {
  if (!providerOnlyColumns || !('account_sid' in reach)) return rows
  const hiddenValues = (row: object): Row =>
    Object.fromEntries(providerOnlyColumns.filter((column) => column in row).map((column) => [column, null]))
  return rows.map((row) => (row.owner.account_sid === null ? { ...row, ...hiddenValues(row) } : row))
}

/** The queries that read. Every row is returned with its owner, and every read is limited to an actor's reach. */
const createReadQueries = <R extends object>(store: Store, options: RepositoryOptions) => {
  const { db } = store.database
  const { ownership } = options
  const { key, fromTable, joins, selectRows } = buildSelectFragments(options)
  const pager = createPager(store.database, store.listCache, options)

  const finishRows = async (reach: Reach, rows: Row[], connection: Connection) => {
    const contractRows = options.toContractRows ? await options.toContractRows(rows, connection) : rows
    return hideProviderOnlyColumns(
      reach,
      contractRows.map((row) => withOwner<R>(row)),
      options,
    )
  }

  const selectRowsWhere = (where: RawBuilder<unknown>, orderClause = sql``) =>
    sql<Row>`${selectRows} ${fromTable} ${joins} where ${where} ${orderClause}`

  return {
    /** All rows in reach; with `page`, one page of them and their total. */
    async list(
      actorReach: Reach,
      { page, page_size, sort, provider, where: conditions = [], text }: ListOptions = {},
    ): Promise<WithOwner<R>[] | Page<WithOwner<R>>> {
      const reach = narrowReach(actorReach, provider)
      const filtersByProvider =
        provider !== undefined && !('service_provider_sid' in reach && reach.service_provider_sid === provider)
      const filters = joinWithAnd([
        ...(filtersByProvider ? [buildReachCondition({ service_provider_sid: provider }, ownership)] : []),
        ...conditions,
      ])
      if (page === undefined) {
        const where = joinWithAnd([buildReachCondition(reach, ownership), filters, ...(text ? [text] : [])])
        const orderBy = pager.orderBy(sort, options.unpagedSort ?? options.sortableColumns[0])
        const { rows } = await selectRowsWhere(where, orderBy).execute(db)
        return finishRows(reach, rows, db)
      }
      const limit = page_size ?? defaultPageSize
      const { total, rows } = await pager.read({
        alternatives: listReachConditions(reach, ownership),
        rowReach: buildRowReachCondition(reach, ownership),
        filters,
        text,
        sort,
        limit,
        offset: (page - 1) * limit,
      })
      const data = await finishRows(reach, rows, db)
      return { total, page, page_size: page_size ?? null, data }
    },

    /** The row, or undefined if it does not exist or is out of reach. */
    async find(reach: Reach, sid: string, connection: Connection = db): Promise<WithOwner<R> | undefined> {
      const { rows } = await selectRowsWhere(
        joinWithAnd([sql`${key} = ${sid}`, buildReachCondition(reach, ownership)]),
      ).execute(connection)
      return (await finishRows(reach, rows, connection))[0]
    },
  }
}

/** The queries that write. They check no permission. */
const createWriteQueries = ({ db }: Pick<Database, 'db'>, { table, key }: Pick<Ownership, 'table' | 'key'>) => ({
  async insert(values: Row, connection: Connection = db): Promise<void> {
    await connection.insertInto(table).values(values).execute()
  },

  /** Sets the columns whose value is not undefined. */
  async update(sid: string, values: Row, connection: Connection = db): Promise<void> {
    const assignments = Object.entries(values).filter(([, value]) => value !== undefined)
    if (assignments.length === 0) return
    const set = sql.join(assignments.map(([column, value]) => sql`${sql.ref(column)} = ${toColumnValue(value)}`))
    await sql`update ${sql.table(table)} set ${set} where ${sql.ref(key)} = ${sid}`.execute(connection)
  },

  /** Locks a row until the transaction ends. The update makes both engines wait for each other's lock. */
  async lockRow(sid: string, tx: Connection): Promise<void> {
    const column = sql.ref(key)
    await sql`update ${sql.table(table)} set ${column} = ${column} where ${column} = ${sid}`.execute(tx)
  },

  /**
   * Locks a row until the transaction ends. False if one of its columns no longer has this value. One statement locks and
   * checks: on MySQL, a read could return the state as of the transaction's first read.
   */
  async lockUnchanged(sid: string, values: Row, tx: Connection): Promise<boolean> {
    const column = sql.ref(key)
    const { numAffectedRows } = await sql`update ${sql.table(table)} set ${column} = ${column}
      where ${column} = ${sid} and ${hasValues(values)}`.execute(tx)
    return Boolean(numAffectedRows)
  },

  async remove(sid: string, connection: Connection = db): Promise<void> {
    await sql`delete from ${sql.table(table)} where ${sql.ref(key)} = ${sid}`.execute(connection)
  },
})

/** The standard queries of one table. */
export const createRepository = <R extends object>(store: Store, options: RepositoryOptions) => ({
  ownership: options.ownership,
  ...createReadQueries<R>(store, options),
  ...createWriteQueries(store.database, options.ownership),
})

/** Booleans are stored as 0 or 1. */
export const toColumnValue = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value)

export type Repository<R extends object = Row> = ReturnType<typeof createRepository<R>>
