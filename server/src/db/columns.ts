import type { ColumnType } from 'kysely'

/** A column type, independent of the engine. */
export type ColumnKind =
  | { type: 'char' | 'varchar' | 'varbinary'; length: number }
  | { type: 'text' | 'mediumtext' | 'mediumblob' | 'int' | 'bigint' | 'flag' | 'datetime' | 'timestamp' }
  | { type: 'enum'; values: readonly string[] }

export interface Reference {
  table: string
  column: string
  cascade: boolean
}

interface ColumnDefinition {
  kind: ColumnKind
  nullable: boolean
  primary: boolean
  unique: boolean
  /** Case-sensitive on SQLite; MySQL uses the collation of the table. Other text ignores case on both. */
  caseSensitive: boolean
  default?: string | number
  /** The default is the time of the insert. */
  defaultNow: boolean
  references?: Reference
}

/** One column. The type parameters are the types of selected and inserted values. */
export class Column<Select, Insert = Select> {
  /** Never set. It only carries the types. */
  declare readonly types?: ColumnType<Select, Insert, Select>

  constructor(readonly definition: ColumnDefinition) {}

  private extend<S = Select, I = Insert>(definition: Partial<ColumnDefinition>): Column<S, I> {
    return new Column<S, I>({ ...this.definition, ...definition })
  }

  primary() {
    return this.extend({ primary: true })
  }

  nullable() {
    return this.extend<Select | null, Insert | null>({ nullable: true })
  }

  unique() {
    return this.extend({ unique: true })
  }

  caseSensitive() {
    return this.extend({ caseSensitive: true })
  }

  default(value: string | number) {
    return this.extend<Select, Insert | undefined>({ default: value })
  }

  defaultNow() {
    return this.extend<Select, Insert | undefined>({ defaultNow: true })
  }

  /** A foreign key to `table.column`. Without 'cascade' the engine refuses to delete a referenced row. */
  references(target: `${string}.${string}`, onDelete?: 'cascade') {
    const [table = '', column = ''] = target.split('.')
    return this.extend({ references: { table, column, cascade: onDelete === 'cascade' } })
  }
}

const column = <T>(kind: ColumnKind, caseSensitive = false) =>
  new Column<T>({ kind, caseSensitive, nullable: false, primary: false, unique: false, defaultNow: false })

/** A SID: the UUID of a row as text. */
export const sid = () => column<string>({ type: 'char', length: 36 }, true)
export const char = (length: number) => column<string>({ type: 'char', length }, true)
export const varchar = (length: number) => column<string>({ type: 'varchar', length })
export const varbinary = (length: number) => column<Buffer>({ type: 'varbinary', length })
export const text = () => column<string>({ type: 'text' }, true)
export const mediumtext = () => column<string>({ type: 'mediumtext' }, true)
/** Up to 16 MiB. */
export const mediumblob = () => column<Buffer>({ type: 'mediumblob' })
export const int = () => column<number>({ type: 'int' })
export const bigint = () => column<number>({ type: 'bigint' })
/** 0 or 1; never a boolean. */
export const flag = () => column<number>({ type: 'flag' })
/** `YYYY-MM-DD HH:MM:SS` in UTC. */
export const datetime = () => column<string>({ type: 'datetime' })
/** Used like `datetime`. Some platform columns have this type. */
export const timestamp = () => column<string>({ type: 'timestamp' })
export const oneOf = <const Name extends string>(...values: Name[]) => column<Name>({ type: 'enum', values }, true)

type Columns = Record<string, Column<unknown>>
type KeyColumns = Readonly<Record<string, readonly string[]>>

export interface Table<C extends Columns = Columns> {
  name: string
  columns: C
  /** Non-unique indexes: index name to columns. */
  indexes: KeyColumns
  /** Unique keys of several columns: key name to columns. */
  unique: KeyColumns
}

/** Defines a table. The renderers turn the definition into SQL, and `RowOf` turns it into a row type. */
export const table = <C extends Columns>(
  name: string,
  columns: C,
  keys: { indexes?: KeyColumns; unique?: KeyColumns } = {},
): Table<C> => ({ name, columns, indexes: keys.indexes ?? {}, unique: keys.unique ?? {} })

/** The Kysely row type of a table definition. */
export type RowOf<T> =
  T extends Table<infer C>
    ? { [K in keyof C]: C[K] extends Column<infer S, infer I> ? ColumnType<S, I, S> : never }
    : never
