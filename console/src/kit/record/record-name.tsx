import { useQuery } from '@tanstack/react-query'
import type { ListQuery } from '@trunkline/contract/kit/page'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { applicationsOfProvider } from '@trunkline/contract/resources/application'
import { carriersOfProvider } from '@trunkline/contract/resources/voip-carrier'
import type { ReactNode } from 'react'
import type { Route } from '@trunkline/contract/kit/route'
import { useProviderSid } from '../../session/current-provider'
import { requestListUntyped } from '../../lib/request-list'
import { Link } from '../../ui/link'
import { Muted } from '../../ui/muted'
import { recordPath } from '../../lib/paths'
import { namesKey } from '../../lib/query-keys'

/** The kinds that rows of other kinds refer to. */
export type ReferencedKind = 'account' | 'application' | 'voip_carrier'

interface NamedRecord extends Record<string, unknown> {
  name: string
}

const listRoutes: Record<ReferencedKind, Route<string, { query: ListQuery; response: unknown }>> = {
  account: accountsOfProvider,
  application: applicationsOfProvider,
  voip_carrier: carriersOfProvider.list,
}

/** The names of all records of a kind of the current provider, in one request. */
const useNames = (kind: ReferencedKind) => {
  const service_provider_sid = useProviderSid()
  return useQuery({
    queryKey: namesKey(kind, service_provider_sid),
    queryFn: async ({ signal }) => {
      const { rows } = await requestListUntyped<NamedRecord>(listRoutes[kind], {
        params: { service_provider_sid },
        signal,
      })
      return new Map(rows.map((row) => [String(row[`${kind}_sid`]), row.name]))
    },
    staleTime: 60_000,
    enabled: service_provider_sid !== '',
    meta: { suppressErrorToast: true },
  })
}

export interface RecordNameProps {
  kind: ReferencedKind
  /** The row with the reference: `${kind}_sid`, and `${kind}_name` if the server returns it. */
  row: object
  /** Shown if the row refers to nothing. */
  emptyLabel?: ReactNode
  /** Links the name to the record. */
  link?: boolean
}

/** The name of the record that a row refers to: from the row itself, or from one request for all rows of the kind. */
export const RecordName = ({ kind, row, emptyLabel = <Muted isEmptyValue>None</Muted>, link }: RecordNameProps) => {
  const sid: unknown = Reflect.get(row, `${kind}_sid`)
  if (typeof sid !== 'string' || sid === '') return emptyLabel
  const nameInRow: unknown = Reflect.get(row, `${kind}_name`)
  const href = link ? recordPath(kind, sid) : undefined
  // a list has many rows: only those without a name subscribe to the query
  if (nameInRow === undefined) return <RequestedName kind={kind} sid={sid} href={href} />
  return <LinkedName name={typeof nameInRow === 'string' ? nameInRow : sid} href={href} />
}

const RequestedName = ({ kind, sid, href }: { kind: ReferencedKind; sid: string; href: string | undefined }) => {
  const { data } = useNames(kind)
  // show the SID if no list contains the record
  return <LinkedName name={data?.get(sid) ?? (data ? sid : '')} href={href} />
}

const LinkedName = ({ name, href }: { name: string; href: string | undefined }) =>
  href && name !== '' ? (
    <Link href={href} muted>
      {name}
    </Link>
  ) : (
    name
  )
