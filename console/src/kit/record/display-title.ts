import type { QueryClient } from '@tanstack/react-query'
import { formatPhoneNumber } from '../../lib/phone-number'
import { recordTitleKey } from '../../lib/query-keys'
import { sidOf, type AnyResource } from './record'

/** The name of a record as screens show it. Other servers may send a record without a name: then its SID. */
export const getDisplayTitle = <Row>(resource: AnyResource<Row>, row: Row): string => {
  const title = (resource.title(row) as string | null | undefined) ?? sidOf(resource, row)
  return resource.kind === 'phone_number' ? formatPhoneNumber(title) : title
}

/** Stores the name of a record for the breadcrumbs. */
export const storeDisplayTitle = <Row>(cache: QueryClient, resource: AnyResource<Row>, sid: string, row: Row): void => {
  cache.setQueryData(recordTitleKey(resource.kind, sid), getDisplayTitle(resource, row))
}
