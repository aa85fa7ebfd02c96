import { route, type Route } from './route'
import type { ListQuery, Page } from './page'
import type { Kind } from '../policy/policy'

/** What every screen and every server route needs to know of a kind of record. */
export interface Resource<Row, Draft, Changes, Created, Path extends string, Key extends string> {
  readonly kind: Kind
  readonly path: Path
  /** The name of the column that identifies a record. */
  readonly key: Key
  readonly noun: { readonly one: string; readonly many: string }
  /** The interface has a call that reads one record. */
  readonly isReadable: boolean
  /** How a person calls this record. */
  readonly title: (row: Row) => string
  readonly list: Route<Path, { query: ListQuery; answer: Row[] | Page<Row> }>
  readonly read: Route<`${Path}/:${Key}`, { answer: Row }>
  readonly create: Route<Path, { body: Draft; answer: Created }>
  readonly update: Route<`${Path}/:${Key}`, { body: Changes }>
  readonly remove: Route<`${Path}/:${Key}`, { body?: unknown }>
}

/** Says a kind of record that has the five usual calls: list, read, create, update, remove. */
export const resource =
  <Row, Draft, Changes, Created = { sid: string }>() =>
  <const Path extends string, const Key extends string>(it: {
    kind: Kind
    path: Path
    key: Key
    noun: { one: string; many: string }
    title: (row: Row) => string
    isReadable?: boolean
  }): Resource<Row, Draft, Changes, Created, Path, Key> => {
    const one = `${it.path}/:${it.key}` as const
    return {
      isReadable: true,
      ...it,
      list: route<{ query: ListQuery; answer: Row[] | Page<Row> }>()('GET', it.path, `List ${it.noun.many}`),
      read: route<{ answer: Row }>()('GET', one, `Read one ${it.noun.one}`),
      create: route<{ body: Draft; answer: Created }>()('POST', it.path, `Add one ${it.noun.one}`),
      update: route<{ body: Changes }>()('PUT', one, `Change one ${it.noun.one}`),
      remove: route<{ body?: unknown }>()('DELETE', one, `Delete one ${it.noun.one}`),
    }
  }
