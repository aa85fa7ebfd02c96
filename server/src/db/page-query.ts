import type { RawBuilder } from 'kysely'

/** One page of a list. */
export interface PageQuery {
  /** The alternatives of the actor's reach, as conditions without joins. A row in reach matches exactly one of them. */
  alternatives: readonly RawBuilder<unknown>[]
  /** The same reach as one condition that reads the owner of each row through joins. */
  rowReach: RawBuilder<unknown>
  /** Further conditions on columns of the table. */
  filters: RawBuilder<unknown>
  /** A text that columns of the table must contain. */
  text: RawBuilder<unknown> | undefined
  sort: string | undefined
  limit: number
  offset: number
}
