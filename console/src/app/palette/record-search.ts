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
  /** Overrides the default request to `list`. */
  fetchRows?: (query: ListQuery, signal: AbortSignal) => Promise<Row[] | Page<Row>>
  read: Route<string, RouteTypes>
  params: Record<string, string>
  /** Builds the query for a server that paginates. Returns undefined if this text cannot match this kind. */
  query: (text: string) => ListQuery | undefined
  /** The display name of a row. */
  title: (row: Row) => string
}

const stringField = (row: Row, name: string) => (typeof row[name] === 'string' ? row[name] : '')

const column = (name: string) => (row: Row) => stringField(row, name)

const byName = (text: string): ListQuery => ({ name: text })

/** Users format numbers differently, so compare digits only. */
export const toNumberQuery = (text: string): { filter: string } | undefined => {
  const filter = toSearchDigits(text)
  return filter ? { filter } : undefined
}

type ListEndpoint = Pick<SearchableKind, 'list' | 'params' | 'fetchRows'>

const applicationsFor = (actor: Actor, service_provider_sid: string): ListEndpoint =>
  actor.scope === 'account'
    ? { list: applicationsOfAccount, params: { account_sid: actor.account_sid } }
    : {
        list: applicationsOfProvider,
        params: { service_provider_sid },
        fetchRows: (query, signal) => fetchProviderApplications(actor, service_provider_sid, query, signal),
      }

const carriersFor = (actor: Actor, service_provider_sid: string): ListEndpoint =>
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

/** Fetches with the list source of the screen, which drops the rows of other providers that a v1 server may return. */
const fetchFromSource =
  <SourceRow extends object>({ fetch }: ListSource<SourceRow>): SearchableKind['fetchRows'] =>
  (query, signal) =>
    fetch(query, signal) as Promise<Row[] | Page<Row>>

/** For administrators the server returns the LCRs of all providers, so the source filters. Other users get only their own. */
const searchableLcrs = (actor: Actor, service_provider_sid: string): SearchableKind => ({
  kind: 'lcr',
  list: lcr.list,
  ...(actor.scope === 'admin' ? { fetchRows: fetchFromSource(lcrSource(service_provider_sid)) } : {}),
  params: {},
  read: lcr.read,
  query: byName,
  title: column('name'),
})

/** The kinds that the palette searches, with the API routes that this actor may use. */
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
      const numberQuery = toNumberQuery(text)
      return numberQuery && (actor.scope === 'admin' ? { ...numberQuery, service_provider_sid } : numberQuery)
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
    fetchRows: fetchFromSource(clientSource(actor, service_provider_sid)),
    params: {},
    read: client.read,
    query: byName,
    title: column('username'),
  },
  {
    kind: 'speech_credential',
    ...speechFor(actor, service_provider_sid),
    query: byName,
    title: (row) => serviceTitle({ vendor: stringField(row, 'vendor'), label: stringField(row, 'label') }),
  },
  {
    kind: 'ms_teams_tenant',
    list: msTeamsTenant.list,
    fetchRows: fetchFromSource(tenantSource(actor, service_provider_sid)),
    params: {},
    read: msTeamsTenant.read,
    query: byName,
    title: column('tenant_fqdn'),
  },
  ...(featureFlags().leastCostRouting ? [searchableLcrs(actor, service_provider_sid)] : []),
]

/** Maximum results per kind. */
const maxResultsPerKind = 5

export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const search = async (searchable: SearchableKind, text: string, signal: AbortSignal): Promise<Row[]> => {
  const kindQuery = searchable.query(text)
  if (!kindQuery) return []
  const searchText = (kindQuery.filter ?? text).toLowerCase()
  const query = { ...kindQuery, page: 1, page_size: maxResultsPerKind }
  const fetchList = () =>
    requestUntyped(searchable.list, { params: searchable.params, query, signal }) as Promise<Row[] | Page<Row>>
  const response = await (searchable.fetchRows?.(query, signal) ?? fetchList())
  if (!Array.isArray(response)) return response.data
  return response.filter((row) => searchable.title(row).toLowerCase().includes(searchText)).slice(0, maxResultsPerKind)
}

const fetchBySid = async (searchable: SearchableKind, sid: string, signal: AbortSignal): Promise<Row[]> => {
  const row = (await requestUntyped(searchable.read, {
    params: { ...searchable.params, [`${searchable.kind}_sid`]: sid },
    signal,
  })) as Row | undefined
  return row ? [row] : []
}

const toPaletteItems = ({ kind, title }: SearchableKind, rows: Row[]): PaletteItem[] =>
  rows.flatMap((row) => {
    const sid = stringField(row, `${kind}_sid`)
    const href = recordPath(kind, sid)
    if (!href || !findScreen(href)) return []
    const { icon = Hash, singular } = getKindLabels(kind)
    const owner = stringField(row, 'account_name')
    return [{ id: `${kind} ${sid}`, icon, label: title(row), detail: owner || sid, mono: !owner, kind: singular, href }]
  })

/** Finds records by name or number, or by a pasted SID. Debounced, with one request per kind. */
export const useRecordSearch = (query: string): { items: PaletteItem[]; pending: boolean } => {
  const actor = useActor()
  const can = useCan()
  const kinds = getSearchableKinds(actor, useProviderSid()).filter(({ kind }) => can('list', kind))
  const text = query.trim()
  const debouncedText = useDebounced(text, 200)
  const results = useQueries({
    queries: kinds.map((searchable) => ({
      queryKey: [searchable.kind, 'palette-search', searchable.params, debouncedText],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        uuidPattern.test(debouncedText)
          ? fetchBySid(searchable, debouncedText, signal)
          : search(searchable, debouncedText, signal),
      enabled: debouncedText !== '',
      staleTime: 30_000,
      retry: false,
      meta: { suppressErrorToast: true },
    })),
  })
  if (text === '') return { items: [], pending: false }
  return {
    items: kinds.flatMap((searchable, index) => toPaletteItems(searchable, results[index]?.data ?? [])),
    pending: debouncedText !== text || results.some(({ isFetching }) => isFetching),
  }
}
