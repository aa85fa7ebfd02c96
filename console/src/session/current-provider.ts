import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Actor } from '@trunkline/contract/policy/actor'
import { serviceProvider } from '@trunkline/contract/resources/service-provider'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { request } from '../lib/client'
import { localValues } from '../lib/storage'
import { useActor } from './session'

const watchers = new Set<() => void>()

const watch = (tell: () => void) => {
  watchers.add(tell)
  return () => {
    watchers.delete(tell)
  }
}

/** Makes a service provider the current one. */
export const setCurrentProvider = (sid: string) => {
  localValues.provider.set(sid)
  for (const tell of watchers) tell()
}

const byName = (one: ServiceProvider, other: ServiceProvider) => one.name.localeCompare(other.name)

/** The providers that the signed-in user can see, by name. */
export const providersQuery = queryOptions({
  queryKey: ['service_provider', 'list'],
  queryFn: async ({ signal }): Promise<ServiceProvider[]> => {
    const answer = await request(serviceProvider.list, { signal })
    return (Array.isArray(answer) ? answer : answer.data).toSorted(byName)
  },
  staleTime: 60_000,
})

/** The previously selected provider if it still exists, else the first one. */
export const resolveProvider = (all: readonly ServiceProvider[], chosen: string | null): ServiceProvider | undefined =>
  all.find((each) => each.service_provider_sid === chosen) ?? all[0]

const ownProvider = (actor: Actor) => (actor.scope === 'admin' ? undefined : actor.service_provider_sid)

export interface CurrentProvider {
  /** Known immediately, except on an administrator's first visit. */
  sid: string | undefined
  /** The complete record, once the list is loaded. */
  current: ServiceProvider | undefined
  all: ServiceProvider[] | undefined
  error: Error | null
  retry: () => void
}

/** The service provider that the console currently shows. */
export const useCurrentProvider = (): CurrentProvider => {
  const actor = useActor()
  const chosen = useSyncExternalStore(watch, localValues.provider.get, localValues.provider.get)
  const { data: all, error, refetch } = useQuery(providersQuery)
  const actorProvider = ownProvider(actor)
  const current = all && resolveProvider(all, actorProvider ?? chosen)
  // until the list loads, use the stored choice: it is wrong only if that provider was deleted
  const sid = actorProvider ?? current?.service_provider_sid ?? (all ? undefined : (chosen ?? undefined))
  return { sid, current, all, error, retry: () => void refetch() }
}

/** The SID of the current provider. For pages inside the shell, which renders only once the SID is known. */
export const useProviderSid = (): string => useCurrentProvider().sid ?? ''
