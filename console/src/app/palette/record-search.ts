import { useQueries } from '@tanstack/react-query'
import type { ListQuery, Page } from '@trunkline/contract/kit/page'
import type { RouteTypes, Route } from '@trunkline/contract/kit/route'
import { account, accountsOfProvider } from '@trunkline/contract/resources/account'
import { application, applicationsOfAccount, applicationsOfProvider } from '@trunkline/contract/resources/application'
import { client } from '@trunkline/contract/resources/client'
import { lcr } from '@trunkline/contract/resources/lcr'
import { msTeamsTenant } from '@trunkline/contract/resources/ms-teams-tenant'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import {
  speechCredentialsOfAccount,
  speechCredentialsOfProvider,
} from '@trunkline/contract/resources/speech-credential'
import { user } from '@trunkline/contract/resources/user'
import { carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Kind } from '@trunkline/contract/policy/policy'
import { clientSource } from '../../features/clients/client-source'
import { lcrSource } from '../../features/least-cost-routing/lcr-source'
import { tenantSource } from '../../features/ms-teams-tenants/tenant-source'
import { serviceTitle } from '../../features/speech-services/service-source'
import { getKindLabels } from '../../kit/record/kind-labels'
import { fetchProviderApplications } from '../../panels/provider-applications'
import { requestUntyped } from '../../lib/client'
import { featureFlags } from '../../lib/feature-flags'
import type { ListSource } from '../../kit/record/record'
import { recordPath } from '../../lib/paths'
import { toSearchDigits } from '../../lib/phone-number'
import { Hash } from 'lucide-react'
import { useProviderSid } from '../../session/current-provider'
import { useActor, useCan } from '../../session/session'
import type { PaletteItem } from '../../ui/shell/command-palette-view'
import { findScreen } from '../screens'
import { useDebounced } from '../../lib/use-debounced'

type Row = Record<string, unknown>

/** A kind of record that the palette can find by name. */
export interface SearchableKind {
  kind: Kind
  list: Route<string, RouteTypes>
  /** Used instead of a request to `list`. */
  ask?: (query: ListQuery, signal: AbortSignal) => Promise<Row[] | Page<Row>>
  read: Route<string, RouteTypes>
  params: Record<string, string>
  /** The query for a server that paginates. Undefined if this text cannot match this kind. */
  query: (text: string) => ListQuery | undefined
  /** The display name of a row. */
  title: (row: Row) => string
}

const wordOf = (row: Row, name: string) => (typeof row[name] === 'string' ? row[name] : '')

const column = (name: string) => (row: Row) => wordOf(row, name)

const byName = (text: string): ListQuery => ({ name: text })

/** Users format numbers differently, so compare digits only. */
export const toNumberQuery = (text: string): { filter: string } | undefined => {
  const filter = toSearchDigits(text)
  return filter ? { filter } : undefined
}

type Where = Pick<SearchableKind, 'list' | 'params' | 'ask'>

const applicationsFor = (actor: Actor, service_provider_sid: string): Where =>
  actor.scope === 'account'
    ? { list: applicationsOfAccount, params: { account_sid: actor.account_sid } }
    : {
        list: applicationsOfProvider,
        params: { service_provider_sid },
        ask: (query, signal) => fetchProviderApplications(actor, service_provider_sid, query, signal),
      }

const carriersFor = (actor: Actor, service_provider_sid: string): Where =>
  actor.scope === 'account'
    ? { list: voipCarrier.list, params: {} }
    : { list: carriersOfProvider.list, params: { service_provider_sid } }

const speechFor = (actor: Actor, service_provider_sid: string): Pick<SearchableKind, 'list' | 'read' | 'params'> =>
  actor.scope === 'account'
    ? {
        list: speechCredentialsOfAccount.list,
        read: speechCredentialsOfAccount.read,
        params: { account_sid: actor.account_sid },
      }
    : {
        list: speechCredentialsOfProvider.list,
        read: speechCredentialsOfProvider.read,
        params: { service_provider_sid },
      }

/** Fetches a list as its own screen does: the source drops other providers' rows, which a v1 server may return. */
const asking =
  <Of extends object>({ fetch }: ListSource<Of>): SearchableKind['ask'] =>
  (query, signal) =>
    fetch(query, signal) as Promise<Row[] | Page<Row>>

/** Only administrators see all LCRs of a provider; all other users see only their own. */
const routesFor = (actor: Actor, service_provider_sid: string): SearchableKind => ({
  kind: 'lcr',
  list: lcr.list,
  ...(actor.scope === 'admin' ? { ask: asking(lcrSource(service_provider_sid)) } : {}),
  params: {},
  read: lcr.read,
  query: byName,
  title: column('name'),
})

/** The kinds that the palette searches, with the routes for this actor. */
export const getSearchableKinds = (actor: Actor, service_provider_sid: string): SearchableKind[] => [
  {
    kind: 'account',
    list: accountsOfProvider,
    params: { service_provider_sid },
    read: account.read,
    query: byName,
    title: column('name'),
  },
  {
    kind: 'application',
    ...applicationsFor(actor, service_provider_sid),
    read: application.read,
    query: byName,
    title: column('name'),
  },
  {
    kind: 'voip_carrier',
    ...carriersFor(actor, service_provider_sid),
    read: voipCarrier.read,
    query: byName,
    title: column('name'),
  },
  {
    kind: 'phone_number',
    list: phoneNumber.list,
    params: {},
    read: phoneNumber.read,
    query: (text) => {
      const asked = toNumberQuery(text)
      return asked && (actor.scope === 'admin' ? { ...asked, service_provider_sid } : asked)
    },
    title: column('number'),
  },
  {
    kind: 'user',
    list: user.list,
    params: {},
    read: user.read,
    query: (name) => (actor.scope === 'admin' ? { name, service_provider_sid } : { name }),
    title: column('name'),
  },
  {
    kind: 'client',
    list: client.list,
    ask: asking(clientSource(actor, service_provider_sid)),
    params: {},
    read: client.read,
    query: byName,
    title: column('username'),
  },
  {
    kind: 'speech_credential',
    ...speechFor(actor, service_provider_sid),
    query: byName,
    title: (row) => serviceTitle({ vendor: wordOf(row, 'vendor'), label: wordOf(row, 'label') }),
  },
  {
    kind: 'ms_teams_tenant',
    list: msTeamsTenant.list,
    ask: asking(tenantSource(actor, service_provider_sid)),
    params: {},
    read: msTeamsTenant.read,
    query: byName,
    title: column('tenant_fqdn'),
  },
  ...(featureFlags().leastCostRouting ? [routesFor(actor, service_provider_sid)] : []),
]

/** Maximum results per kind. */
const most = 5

export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const search = async (of: SearchableKind, text: string, signal: AbortSignal): Promise<Row[]> => {
  const asked = of.query(text)
  if (!asked) return []
  const wanted = (asked.filter ?? text).toLowerCase()
  const query = { ...asked, page: 1, page_size: most }
  const plain = () => requestUntyped(of.list, { params: of.params, query, signal }) as Promise<Row[] | Page<Row>>
  const answer = await (of.ask?.(query, signal) ?? plain())
  if (!Array.isArray(answer)) return answer.data
  return answer.filter((row) => of.title(row).toLowerCase().includes(wanted)).slice(0, most)
}

const lookUp = async (of: SearchableKind, sid: string, signal: AbortSignal): Promise<Row[]> => {
  const row = (await requestUntyped(of.read, { params: { ...of.params, [`${of.kind}_sid`]: sid }, signal })) as
    Row | undefined
  return row ? [row] : []
}

const itemsOf = ({ kind, title }: SearchableKind, rows: Row[]): PaletteItem[] =>
  rows.flatMap((row) => {
    const sid = wordOf(row, `${kind}_sid`)
    const href = recordPath(kind, sid)
    if (!href || !findScreen(href)) return []
    const { icon = Hash, one } = getKindLabels(kind)
    const owner = wordOf(row, 'account_name')
    return [{ id: `${kind} ${sid}`, icon, label: title(row), detail: owner || sid, mono: !owner, kind: one, href }]
  })

/** Records that match a name or number, or the one record with a pasted SID. Debounced, with one request per kind. */
export const useRecordSearch = (query: string): { items: PaletteItem[]; pending: boolean } => {
  const actor = useActor()
  const can = useCan()
  const kinds = getSearchableKinds(actor, useProviderSid()).filter(({ kind }) => can('list', kind))
  const text = query.trim()
  const asked = useDebounced(text, 200)
  const results = useQueries({
    queries: kinds.map((of) => ({
      queryKey: [of.kind, 'found', of.params, asked],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        uuidPattern.test(asked) ? lookUp(of, asked, signal) : search(of, asked, signal),
      enabled: asked !== '',
      staleTime: 30_000,
      retry: false,
      meta: { suppressErrorToast: true },
    })),
  })
  if (text === '') return { items: [], pending: false }
  return {
    items: kinds.flatMap((of, at) => itemsOf(of, results[at]?.data ?? [])),
    pending: asked !== text || results.some(({ isFetching }) => isFetching),
  }
}
