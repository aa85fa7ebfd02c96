import { useQueries } from '@tanstack/react-query'
import type { ListQuery } from '@trunkline/contract/kit/page'
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
import { createClientSource } from '../../features/clients/client-source'
import { createLcrSource } from '../../features/least-cost-routing/lcr-source'
import { createTenantSource } from '../../features/ms-teams-tenants/tenant-source'
import { getServiceTitle } from '../../features/speech-services/service-source'
import { getKindLabels } from '../../kit/record/kind-labels'
import { fetchProviderApplications } from '../../panels/provider-applications'
import { requestUntyped } from '../../lib/client'
import { getFeatureFlags } from '../../lib/feature-flags'
import { filterCompleteList, requestListUntyped, type ListPage } from '../../lib/request-list'
import type { ListSource } from '../../kit/record/record'
import { recordPath } from '../../lib/paths'
import { toSearchDigits } from '../../lib/number-search'
import { formatPhoneNumber } from '../../lib/phone-number'
import { shortenSid } from '../../lib/short-sid'
import { Hash } from 'lucide-react'
import { useProviderSid } from '../../session/current-provider'
import { useActor, useCan } from '../../session/session'
import type { PaletteItem } from '../../ui/shell/command-palette-view'
import { findScreen } from '../screens'
import { useDebounced } from '../../lib/use-debounced'
import { paletteKey } from '../../lib/query-keys'

type Row = Record<string, unknown>

/** A record that the palette has found. */
export interface RecordItem extends PaletteItem {
  record: { kind: string; sid: string; name: string }
}

/** A kind of record that the palette can find by name. */
export interface SearchableKind {
  kind: Kind
  list: Route<string, RouteTypes>
  /** Overrides the default request to `list`. */
  fetchRows?: (query: ListQuery, signal: AbortSignal) => Promise<ListPage<Row>>
  read: Route<string, RouteTypes>
  params: Record<string, string>
  /** Builds the query for a server that paginates. Returns undefined if this text cannot match this kind. */
  buildQuery: (text: string) => ListQuery | undefined
  /** Limits the list to the current provider, if its route does not. */
  scopeQuery?: ListQuery
  /** The display name of a row. */
  getTitle: (row: Row) => string
}

const getText = (row: Row, name: string) => (typeof row[name] === 'string' ? row[name] : '')

const createColumnGetter = (name: string) => (row: Row) => getText(row, name)

const toNameQuery = (text: string): ListQuery => ({ name: text })

/** The query for a phone number. Only digits, because users write numbers in different notations. */
export const toNumberQuery = (text: string): { filter: string } | undefined => {
  const filter = toSearchDigits(text)
  return filter ? { filter } : undefined
}

type ListRequest = Pick<SearchableKind, 'list' | 'params' | 'fetchRows'>

const getApplicationList = (actor: Actor, service_provider_sid: string): ListRequest =>
  actor.scope === 'account'
    ? { list: applicationsOfAccount, params: { account_sid: actor.account_sid } }
    : {
        list: applicationsOfProvider,
        params: { service_provider_sid },
        fetchRows: (query, signal) => fetchProviderApplications(actor, service_provider_sid, query, signal),
      }

const getCarrierList = (actor: Actor, service_provider_sid: string): ListRequest =>
  actor.scope === 'account'
    ? { list: voipCarrier.list, params: {} }
    : { list: carriersOfProvider.list, params: { service_provider_sid } }

const getSpeechCredentialRoutes = (
  actor: Actor,
  service_provider_sid: string,
): Pick<SearchableKind, 'list' | 'read' | 'params'> =>
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
const createSourceFetcher =
  <SourceRow extends object>({ fetch }: ListSource<SourceRow>): SearchableKind['fetchRows'] =>
  (query, signal) =>
    fetch(query, signal) as unknown as Promise<ListPage<Row>>

/** For administrators the server returns the LCRs of all providers, so the source filters. Other users get only their own. */
const createSearchableLcrs = (actor: Actor, service_provider_sid: string): SearchableKind => ({
  kind: 'lcr',
  list: lcr.list,
  ...(actor.scope === 'admin' ? { fetchRows: createSourceFetcher(createLcrSource(service_provider_sid)) } : {}),
  params: {},
  read: lcr.read,
  buildQuery: toNameQuery,
  getTitle: createColumnGetter('name'),
})

/** The kinds that the palette searches, with the API routes that this actor may use. */
export const getSearchableKinds = (actor: Actor, service_provider_sid: string): SearchableKind[] => [
  {
    kind: 'account',
    list: accountsOfProvider,
    params: { service_provider_sid },
    read: account.read,
    buildQuery: toNameQuery,
    getTitle: createColumnGetter('name'),
  },
  {
    kind: 'application',
    ...getApplicationList(actor, service_provider_sid),
    read: application.read,
    buildQuery: toNameQuery,
    getTitle: createColumnGetter('name'),
  },
  {
    kind: 'voip_carrier',
    ...getCarrierList(actor, service_provider_sid),
    read: voipCarrier.read,
    buildQuery: toNameQuery,
    getTitle: createColumnGetter('name'),
  },
  {
    kind: 'phone_number',
    list: phoneNumber.list,
    params: {},
    read: phoneNumber.read,
    buildQuery: (text) => {
      const numberQuery = toNumberQuery(text)
      return numberQuery && (actor.scope === 'admin' ? { ...numberQuery, service_provider_sid } : numberQuery)
    },
    scopeQuery: actor.scope === 'admin' ? { service_provider_sid } : {},
    getTitle: createColumnGetter('number'),
  },
  {
    kind: 'user',
    list: user.list,
    params: {},
    read: user.read,
    scopeQuery: actor.scope === 'admin' ? { service_provider_sid } : {},
    buildQuery: (name) => (actor.scope === 'admin' ? { name, service_provider_sid } : { name }),
    getTitle: createColumnGetter('name'),
  },
  {
    kind: 'client',
    list: client.list,
    fetchRows: createSourceFetcher(createClientSource(actor, service_provider_sid)),
    params: {},
    read: client.read,
    buildQuery: toNameQuery,
    getTitle: createColumnGetter('username'),
  },
  {
    kind: 'speech_credential',
    ...getSpeechCredentialRoutes(actor, service_provider_sid),
    buildQuery: toNameQuery,
    getTitle: (row) => getServiceTitle({ vendor: getText(row, 'vendor'), label: getText(row, 'label') }),
  },
  {
    kind: 'ms_teams_tenant',
    list: msTeamsTenant.list,
    fetchRows: createSourceFetcher(createTenantSource(actor, service_provider_sid)),
    params: {},
    read: msTeamsTenant.read,
    buildQuery: toNameQuery,
    getTitle: createColumnGetter('tenant_fqdn'),
  },
  ...(getFeatureFlags().leastCostRouting ? [createSearchableLcrs(actor, service_provider_sid)] : []),
]

/** Maximum results per kind. */
const maxResultsPerKind = 5
/** Rows per request. Lists are sorted by name, so the best matches can be behind others. */
const rowsPerRequest = 50
/** Rows per request for the start of a SID, for which no list has a filter. */
const rowsPerSidSearch = 1000

export const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The first group of a SID, which a list and a log show. */
const sidStartPattern = /^[0-9a-f]{8}$/i

/** 0 if the title is the text or starts with it, 1 if one of its words does, otherwise 2. Equal titles are before longer ones. */
export const rankMatch = (title: string, text: string): number => {
  const [lowerCaseTitle, lowerCaseText] = [title.toLowerCase(), text.trim().toLowerCase()]
  if (lowerCaseTitle === lowerCaseText) return -1
  if (lowerCaseTitle.startsWith(lowerCaseText)) return 0
  return lowerCaseTitle.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(lowerCaseText)) ? 1 : 2
}

/** Sorts titles that start with the text first, and keeps the order of equal matches. */
export const sortByMatch = <Entry>(
  entries: readonly Entry[],
  getTitle: (entry: Entry) => string,
  text: string,
): Entry[] => entries.toSorted((first, second) => rankMatch(getTitle(first), text) - rankMatch(getTitle(second), text))

const fetchRowsOf = (searchable: SearchableKind, query: ListQuery, signal: AbortSignal): Promise<ListPage<Row>> =>
  searchable.fetchRows?.(query, signal) ??
  requestListUntyped<Row>(searchable.list, { params: searchable.params, query, signal })

const searchByText = async (searchable: SearchableKind, text: string, signal: AbortSignal): Promise<Row[]> => {
  const kindQuery = searchable.buildQuery(text)
  if (!kindQuery) return []
  const searchText = (kindQuery.filter ?? text).toLowerCase()
  const query = { ...kindQuery, page: 1, page_size: rowsPerRequest }
  const page = await fetchRowsOf(searchable, query, signal)
  const { rows } = filterCompleteList(page, (row) => searchable.getTitle(row).toLowerCase().includes(searchText))
  return sortByMatch(rows, searchable.getTitle, text).slice(0, maxResultsPerKind)
}

/** The records whose SID starts with the text, before those that match it by name or number. */
const searchBySidStart = async (searchable: SearchableKind, text: string, signal: AbortSignal): Promise<Row[]> => {
  const query = { page: 1, page_size: rowsPerSidSearch, ...searchable.scopeQuery }
  const [page, otherRows] = await Promise.all([
    fetchRowsOf(searchable, query, signal),
    searchByText(searchable, text, signal),
  ])
  const getSid = (row: Row) => getText(row, `${searchable.kind}_sid`)
  const rows = page.rows.filter((row) => getSid(row).toLowerCase().startsWith(text.toLowerCase()))
  const sids = new Set(rows.map(getSid))
  return [...rows, ...otherRows.filter((row) => !sids.has(getSid(row)))].slice(0, maxResultsPerKind)
}

const fetchBySid = async (searchable: SearchableKind, sid: string, signal: AbortSignal): Promise<Row[]> => {
  const row = (await requestUntyped(searchable.read, {
    params: { ...searchable.params, [`${searchable.kind}_sid`]: sid },
    signal,
  })) as Row | undefined
  return row ? [row] : []
}

const toRecordItems = ({ kind, getTitle }: SearchableKind, rows: Row[]): RecordItem[] =>
  rows.flatMap((row) => {
    const sid = getText(row, `${kind}_sid`)
    const href = recordPath(kind, sid)
    if (!href || !findScreen(href)) return []
    const { icon = Hash, singular } = getKindLabels(kind)
    const owner = getText(row, 'account_name')
    const title = getTitle(row)
    const label = kind === 'phone_number' ? formatPhoneNumber(title) : title
    const record = { kind, sid, name: title }
    const detail = owner || shortenSid(sid)
    return [{ id: `${kind} ${sid}`, icon, label, detail, mono: !owner, kind: singular, href, record }]
  })

/** Finds records by name or number, or by a pasted SID. Debounced, with one request per kind. */
export const useRecordSearch = (query: string): { items: RecordItem[]; pending: boolean } => {
  const actor = useActor()
  const can = useCan()
  const kinds = getSearchableKinds(actor, useProviderSid()).filter(({ kind }) => can('list', kind))
  const text = query.trim()
  const debouncedText = useDebounced(text, 200)
  const results = useQueries({
    queries: kinds.map((searchable) => ({
      queryKey: paletteKey(searchable.kind, searchable.params, debouncedText),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        uuidPattern.test(debouncedText)
          ? fetchBySid(searchable, debouncedText, signal)
          : sidStartPattern.test(debouncedText)
            ? searchBySidStart(searchable, debouncedText, signal)
            : searchByText(searchable, debouncedText, signal),
      enabled: debouncedText !== '',
      staleTime: 30_000,
      retry: false,
      meta: { suppressErrorToast: true },
    })),
  })
  if (text === '') return { items: [], pending: false }
  const items = kinds.flatMap((searchable, index) => toRecordItems(searchable, results[index]?.data ?? []))
  return {
    items: sortByMatch(items, ({ label }) => label, debouncedText),
    pending: debouncedText !== text || results.some(({ isFetching }) => isFetching),
  }
}
