import type { QueryClient } from '@tanstack/react-query'
import type { Actor } from '@trunkline/contract/policy/actor'
import { toListQuery } from '../kit/list/list-query'
import { readListState, type ListSearch } from '../kit/list/list-state'
import { createPageQuery } from '../kit/list/page-query'
import { getArea, paths } from '../lib/paths'
import { capabilitiesQuery } from '../lib/server-capabilities'
import { localValues, sessionValues } from '../lib/storage'
import { getActorProviderSid, providersQuery, resolveProvider } from '../session/current-provider'
import { meQuery } from '../session/me-query'
import type { Session } from '../session/token'
import { listRowsByPath } from './list-sources'
import { getSessionCache } from './session-cache'

/** The part of a URL that decides which data a screen shows. */
export interface ScreenLocation {
  pathname: string
  search: ListSearch
}

const pageParameters = ['page', 'page_size']

/** Does the list open without filters and in its own order? Only the screen itself knows its other queries. */
const isPlainList = ({ pathname, search }: ScreenLocation) => {
  const restoresFilters =
    sessionValues.filterArea.get() === getArea(pathname) &&
    (localValues.queryFilter.get() ?? localValues.accountFilter.get()) !== null
  return !restoresFilters && Object.keys(search).every((name) => pageParameters.includes(name))
}

/** The current provider, as soon as it is known. */
const findProviderSid = async (cache: QueryClient, actor: Actor): Promise<string | undefined> => {
  const actorProviderSid = getActorProviderSid(actor)
  if (actorProviderSid !== undefined) return actorProviderSid
  const storedSid = localValues.provider.get()
  const loadedProviders = cache.getQueryData(providersQuery.queryKey)
  if (storedSid !== null && !loadedProviders) return storedSid
  const providers = loadedProviders ?? (await cache.fetchQuery(providersQuery).catch(() => []))
  return resolveProvider(providers, storedSid)?.service_provider_sid
}

const requestRows = async (cache: QueryClient, actor: Actor, location: ScreenLocation) => {
  const listRows = listRowsByPath[location.pathname]
  if (!listRows || !isPlainList(location)) return
  const service_provider_sid = await findProviderSid(cache, actor)
  if (service_provider_sid === undefined) return
  const query = toListQuery(readListState(location.search, []), {
    textFilterParam: false,
    filters: [],
    sort: undefined,
  })
  const source = listRows.createSource(actor, service_provider_sid)
  const pageQuery = createPageQuery(cache, listRows.kind, source, query)
  const response = cache.prefetchQuery(pageQuery)
  // the rows of the last visit are shown until the response arrives
  if (!cache.getQueryData(pageQuery.queryKey)) await response
}

const requestHome = async (cache: QueryClient, actor: Actor) => {
  const [{ requestHome: sendRequests, getHomeScope }, capabilities, service_provider_sid] = await Promise.all([
    import('../features/home/home-queries'),
    cache.fetchQuery(capabilitiesQuery),
    findProviderSid(cache, actor),
  ])
  if (service_provider_sid === undefined) return
  sendRequests(cache, capabilities, getHomeScope(actor, service_provider_sid))
}

/**
 * Sends the first requests of a screen while its code loads: those that every screen needs, and the rows of a list. The
 * screen then finds them in the cache. Resolves when a list has rows to show.
 */
export const requestScreenData = (session: Session, location: ScreenLocation): Promise<void> => {
  const cache = getSessionCache(session)
  void cache.prefetchQuery(providersQuery)
  if (session.actor.user_sid !== undefined) void cache.prefetchQuery(meQuery)
  void cache.prefetchQuery(capabilitiesQuery)
  // the screen reports failures
  if (location.pathname === paths.home) requestHome(cache, session.actor).catch(() => undefined)
  return requestRows(cache, session.actor, location)
}
