import { defineRoute, type Route } from './route'
import type { ListQuery, Page } from './page'
import type { Kind } from '../policy/policy'

/** The facts about a kind of record that screens and server routes share. */
export interface Resource<Row, Draft, Changes, Created, Path extends string, Key extends string> {
  readonly kind: Kind
  readonly path: Path
  /** The column that identifies a record. */
  readonly key: Key
  readonly noun: { readonly singular: string; readonly plural: string }
  /** Whether the API has a route that reads one record. */
  readonly isReadable: boolean
  /** The display name of a record. */
  readonly title: (row: Row) => string
  readonly list: Route<Path, { query: ListQuery; response: Row[] | Page<Row> }>
  readonly read: Route<`${Path}/:${Key}`, { response: Row }>
  readonly create: Route<Path, { body: Draft; response: Created }>
  readonly update: Route<`${Path}/:${Key}`, { body: Changes }>
  readonly remove: Route<`${Path}/:${Key}`, { body?: unknown }>
}

/** Defines a kind of record with the five standard routes: list, read, create, update, remove. */
export const defineResource =
  <Row, Draft, Changes, Created = { sid: string }>() =>
  <const Path extends string, const Key extends string>(definition: {
    kind: Kind
    path: Path
    key: Key
    noun: { singular: string; plural: string }
    title: (row: Row) => string
    isReadable?: boolean
  }): Resource<Row, Draft, Changes, Created, Path, Key> => {
    const recordPath = `${definition.path}/:${definition.key}` as const
    return {
      isReadable: true,
      ...definition,
      list: defineRoute<{ query: ListQuery; response: Row[] | Page<Row> }>()(
        'GET',
        definition.path,
        `List ${definition.noun.plural}`,
      ),
      read: defineRoute<{ response: Row }>()('GET', recordPath, `Read one ${definition.noun.singular}`),
      create: defineRoute<{ body: Draft; response: Created }>()(
        'POST',
        definition.path,
        `Add one ${definition.noun.singular}`,
      ),
      update: defineRoute<{ body: Changes }>()('PUT', recordPath, `Change one ${definition.noun.singular}`),
      remove: defineRoute<{ body?: unknown }>()('DELETE', recordPath, `Delete one ${definition.noun.singular}`),
    }
  }
