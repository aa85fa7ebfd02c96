import type { Kysely, RawBuilder } from 'kysely'
import type { Tables } from './schema'
import type { Ownership } from './tenancy'

/** The transaction, or the database outside of one. On SQLite, using the database object inside a transaction waits forever. */
export type Connection = Kysely<Tables>

/** Runs in the transaction before a record is written. Throws to prevent the write. */
export type WriteCheck = (tx: Connection) => Promise<void>

export type Row = Record<string, unknown>

export interface RepositoryOptions {
  ownership: Ownership
  /** Columns that a client may sort by. The first one is the default of a paged list. */
  sortableColumns: readonly [string, ...string[]]
  /** The default order of a list without pages, if it differs. */
  unpagedSort?: string
  /** Columns of a provider's shared record that are null for users of its accounts. */
  providerOnlyColumns?: readonly string[]
  /** For large tables: the name of the index on the first sortable column, as in the platform's schema. */
  sortIndex?: string
  /** The keys of longer lists are not cached: the database sorts them for every page. */
  maxCachedKeys?: number
  /** The SQL expressions of sortable columns that come from joined tables. */
  sortExpressions?: Record<string, RawBuilder<unknown>>
  /** Columns of joined tables to return with a row, such as the names of referenced records. */
  extraColumns?: RawBuilder<unknown>
  extraJoins?: RawBuilder<unknown>
  /** Converts database rows to the contract's rows; all rows of a page at once, so that related rows need one query. */
  toContractRows?: (rows: Row[], connection: Connection) => Promise<Row[]>
}
