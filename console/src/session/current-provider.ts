import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Actor } from '@trunkline/contract/policy/actor'
import { serviceProvider } from '@trunkline/contract/resources/service-provider'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { requestList } from '../lib/request-list'
import { localValues } from '../lib/storage'
import { namedQueryKey } from '../lib/query-keys'
import { useActor } from './session'

const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Makes a service provider the current one. */
export const setCurrentProvider = (sid: string) => {
  localValues.provider.set(sid)
  for (const listener of listeners) listener()
}

const compareNames = (first: ServiceProvider, second: ServiceProvider) => first.name.localeCompare(second.name)

/** The providers that the signed-in user can see, by name. */
export const providersQuery = queryOptions({
  queryKey: namedQueryKey('service_provider', 'all'),
  queryFn: async ({ signal }): Promise<ServiceProvider[]> => {
    const { rows } = await requestList(serviceProvider.list, { signal })
    return rows.toSorted(compareNames)
  },
  staleTime: 60_000,
})

/** The previously selected provider if it still exists, else the first one. */
export const resolveProvider = (
  providers: readonly ServiceProvider[],
  storedSid: string | null,
): ServiceProvider | undefined =>
  providers.find((provider) => provider.service_provider_sid === storedSid) ?? providers[0]

/** The provider of a user who has only one. */
export const getActorProviderSid = (actor: Actor) => (actor.scope === 'admin' ? undefined : actor.service_provider_sid)

/** The current service provider, and those that the user can select. */
export interface ProviderSelection {
  /** Known immediately, except on an administrator's first visit. */
  sid: string | undefined
  /** The complete record, once the list is loaded. */
  current: ServiceProvider | undefined
  providers: ServiceProvider[] | undefined
  error: Error | null
  retry: () => void
}

/** The service provider that the console currently shows. */
export const useCurrentProvider = (): ProviderSelection => {
  const actor = useActor()
  const storedSid = useSyncExternalStore(subscribe, localValues.provider.get, localValues.provider.get)
  const { data: providers, error, refetch } = useQuery(providersQuery)
  const actorProviderSid = getActorProviderSid(actor)
  const current = providers && resolveProvider(providers, actorProviderSid ?? storedSid)
  // until the list loads, use the stored choice: it is wrong only if that provider was deleted
  const sid = actorProviderSid ?? current?.service_provider_sid ?? (providers ? undefined : (storedSid ?? undefined))
  return { sid, current, providers, error, retry: () => void refetch() }
}

/** The SID of the current provider. For screens inside the shell, which renders only once the SID is known. */
export const useProviderSid = (): string => useCurrentProvider().sid ?? ''
