import type { ColumnType } from 'kysely'

/** What a column can hold, in words that both engines understand. */
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
  /** Compared byte by byte where the engine lets us say so; other text ignores case. */
  caseSensitive: boolean
  default?: string | number
  /** The default is the moment of the insert. */
  defaultNow: boolean
  references?: Reference
}

/** One column. The type parameters are what a select gives and what an insert takes. */
export class Column<Select, Insert = Select> {
  /** Never set: it only carries the types. */
  declare readonly types?: ColumnType<Select, Insert, Select>

  constructor(readonly definition: ColumnDefinition) {}

  private with<S = Select, I = Insert>(definition: Partial<ColumnDefinition>): Column<S, I> {
    return new Column<S, I>({ ...this.definition, ...definition })
  }

  primary() {
    return this.with({ primary: true })
  }

  nullable() {
    return this.with<Select | null, Insert | null>({ nullable: true })
  }

  unique() {
    return this.with({ unique: true })
  }

  caseSensitive() {
    return this.with({ caseSensitive: true })
  }

  default(value: string | number) {
    return this.with<Select, Insert | undefined>({ default: value })
  }

  defaultNow() {
    return this.with<Select, Insert | undefined>({ defaultNow: true })
  }

  /** A foreign key to `table.column`; without 'cascade' the engine refuses to delete a row that is pointed at. */
  references(target: `${string}.${string}`, onDelete?: 'cascade') {
    const [table = '', column = ''] = target.split('.')
    return this.with({ references: { table, column, cascade: onDelete === 'cascade' } })
  }
}

const column = <T>(kind: ColumnKind, caseSensitive = false) =>
  new Column<T>({ kind, caseSensitive, nullable: false, primary: false, unique: false, defaultNow: false })

/** The identifier of a row: a UUID in text form. */
export const sid = () => column<string>({ type: 'char', length: 36 }, true)
export const char = (length: number) => column<string>({ type: 'char', length }, true)
export const varchar = (length: number) => column<string>({ type: 'varchar', length })
export const varbinary = (length: number) => column<Buffer>({ type: 'varbinary', length })
export const text = () => column<string>({ type: 'text' }, true)
export const mediumtext = () => column<string>({ type: 'mediumtext' }, true)
/** Bytes, up to 16 MiB of them. */
export const mediumblob = () => column<Buffer>({ type: 'mediumblob' })
export const int = () => column<number>({ type: 'int' })
export const bigint = () => column<number>({ type: 'bigint' })
/** 0 or 1; never a boolean. */
export const flag = () => column<number>({ type: 'flag' })
/** `YYYY-MM-DD HH:MM:SS` in UTC. */
export const datetime = () => column<string>({ type: 'datetime' })
/** As datetime in every respect that matters here; the platform has some columns of this type. */
export const timestamp = () => column<string>({ type: 'timestamp' })
export const oneOf = <const T extends string>(...values: T[]) => column<T>({ type: 'enum', values }, true)

type Columns = Record<string, Column<unknown>>
type KeyColumns = Readonly<Record<string, readonly string[]>>

export interface Table<C extends Columns = Columns> {
  name: string
  columns: C
  /** Plain indexes, by name. */
  indexes: KeyColumns
  /** Unique keys over several columns, by name. */
  unique: KeyColumns
}

/** Describes a table once; the two renderers make a statement of it and RowOf makes a type of it. */
export const table = <C extends Columns>(
  name: string,
  columns: C,
  keys: { indexes?: KeyColumns; unique?: KeyColumns } = {},
): Table<C> => ({ name, columns, indexes: keys.indexes ?? {}, unique: keys.unique ?? {} })

/** The Kysely row type of a described table. */
export type RowOf<T> =
  T extends Table<infer C>
    ? { [K in keyof C]: C[K] extends Column<infer S, infer I> ? ColumnType<S, I, S> : never }
    : never
