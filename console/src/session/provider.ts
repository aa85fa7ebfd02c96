import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Actor } from '@trunkline/contract/policy/actor'
import { serviceProvider } from '@trunkline/contract/resources/service-provider'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { request } from '../lib/client'
import { kept } from '../lib/storage'
import { useActor } from './session'

const watchers = new Set<() => void>()

const watch = (tell: () => void) => {
  watchers.add(tell)
  return () => {
    watchers.delete(tell)
  }
}

/** Makes a service provider the current one. */
export const chooseProvider = (sid: string) => {
  kept.provider.set(sid)
  for (const tell of watchers) tell()
}

const byName = (one: ServiceProvider, other: ServiceProvider) => one.name.localeCompare(other.name)

/** The providers that the signed-in user sees, by name. */
export const providersQuery = queryOptions({
  queryKey: ['service_provider', 'list'],
  queryFn: async ({ signal }): Promise<ServiceProvider[]> => {
    const answer = await request(serviceProvider.list, { signal })
    return (Array.isArray(answer) ? answer : answer.data).toSorted(byName)
  },
  staleTime: 60_000,
})

/** The one that was chosen before if it is still there, else the first by name. */
export const pickProvider = (all: readonly ServiceProvider[], chosen: string | null): ServiceProvider | undefined =>
  all.find((each) => each.service_provider_sid === chosen) ?? all[0]

const ownProvider = (actor: Actor) => (actor.scope === 'admin' ? undefined : actor.service_provider_sid)

export interface CurrentProvider {
  /** Known at once for all but an administrator's first visit. */
  sid: string | undefined
  /** The whole record, when the list is there. */
  current: ServiceProvider | undefined
  all: ServiceProvider[] | undefined
  error: Error | null
  retry: () => void
}

/** Which service provider the console is looking at. */
export const useProvider = (): CurrentProvider => {
  const actor = useActor()
  const chosen = useSyncExternalStore(watch, kept.provider.get, kept.provider.get)
  const { data: all, error, refetch } = useQuery(providersQuery)
  const own = ownProvider(actor)
  const current = all && pickProvider(all, own ?? chosen)
  // until the list is there the stored choice is good: it is wrong only after a deletion
  const sid = own ?? current?.service_provider_sid ?? (all ? undefined : (chosen ?? undefined))
  return { sid, current, all, error, retry: () => void refetch() }
}

/** The sid of the current provider, on a page inside the frame, which is drawn only when it is known. */
export const useProviderSid = (): string => useProvider().sid ?? ''
