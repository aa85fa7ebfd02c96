import { useQuery } from '@tanstack/react-query'
import type { ListQuery, Page } from '@trunkline/contract/kit/page'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { applicationsOfProvider } from '@trunkline/contract/resources/application'
import { carriersOfProvider } from '@trunkline/contract/resources/voip-carrier'
import type { ReactNode } from 'react'
import type { Route } from '@trunkline/contract/kit/route'
import { useProviderSid } from '../../session/current-provider'
import { requestUntyped } from '../../lib/client'
import { Link } from '../../ui/link'
import { Muted } from '../../ui/muted'
import { recordPath } from '../../lib/paths'

/** The kinds that rows of other kinds refer to. */
export type ReferencedKind = 'account' | 'application' | 'voip_carrier'

interface Named {
  name: string
}

const lists: Record<ReferencedKind, Route<string, { query: ListQuery; response: unknown }>> = {
  account: accountsOfProvider,
  application: applicationsOfProvider,
  voip_carrier: carriersOfProvider.list,
}

/** The names of all records of a kind of the current provider, in one request. Sent only if `needed`. */
const useNames = (kind: ReferencedKind, needed = true) => {
  const service_provider_sid = useProviderSid()
  return useQuery({
    queryKey: [kind, 'names', service_provider_sid],
    queryFn: async ({ signal }) => {
      const answer = (await requestUntyped(lists[kind], { params: { service_provider_sid }, signal })) as
        Named[] | Page<Named>
      const rows = Array.isArray(answer) ? answer : answer.data
      return new Map(rows.map((row) => [String((row as unknown as Record<string, unknown>)[`${kind}_sid`]), row.name]))
    },
    staleTime: 60_000,
    enabled: needed && service_provider_sid !== '',
    meta: { suppressErrorToast: true },
  })
}

export interface RecordNameProps {
  kind: ReferencedKind
  /** The row with the reference: `${kind}_sid`, and `${kind}_name` if the server returns it. */
  row: object
  /** Shown if the row refers to nothing. */
  none?: ReactNode
  /** Links the name to the record. */
  link?: boolean
}

/** The name of the record that a row refers to: from the row itself, or from one request for all rows of the kind. */
export const RecordName = ({ kind, row, none = <Muted isEntireValue>None</Muted>, link }: RecordNameProps) => {
  const sid: unknown = Reflect.get(row, `${kind}_sid`)
  const given: unknown = Reflect.get(row, `${kind}_name`)
  const points = typeof sid === 'string' && sid !== ''
  const { data } = useNames(kind, points && given === undefined)
  if (!points) return none
  // show the SID if no list contains the record
  const unnamed = given === null || data ? sid : ''
  const words = typeof given === 'string' ? given : (data?.get(sid) ?? unnamed)
  return <Named words={words} href={link ? recordPath(kind, sid) : undefined} />
}

const Named = ({ words, href }: { words: string; href: string | undefined }) =>
  href && words !== '' ? (
    <Link href={href} muted>
      {words}
    </Link>
  ) : (
    words
  )
