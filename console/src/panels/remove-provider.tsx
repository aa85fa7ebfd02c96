import { useRouter } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/service-provider'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { serviceProvider } from '@trunkline/contract/resources/service-provider'
import { user } from '@trunkline/contract/resources/user'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { localValues } from '../lib/storage'
import { getLandingPath } from '../session/landing-path'
import { setCurrentProvider, useCurrentProvider } from '../session/current-provider'
import { useActor } from '../session/session'
import { RemoveDialog } from '../kit/record/remove-dialog'
import { fetchDependents, type DependentRecord } from '../kit/record/dependents'

/** The dependents of a provider, for servers that refuse without a reason: its accounts and users. */
const findProviderDependents = async ({ service_provider_sid }: ServiceProvider): Promise<DependentRecord[]> => {
  const title = (row: Record<string, unknown>) => String(row.name)
  const dependentLists = await Promise.all([
    fetchDependents({ kind: 'account', list: accountsOfProvider, params: { service_provider_sid }, title }),
    fetchDependents({
      kind: 'user',
      list: user.list,
      query: { service_provider_sid },
      matches: (row) => row.service_provider_sid === service_provider_sid,
      title,
    }),
  ])
  return dependentLists.flat()
}

/** Deletes a service provider after a confirmation, then makes the first of the others, by name, the current one. */
export const RemoveProvider = ({ provider, onClose }: { provider: ServiceProvider; onClose: () => void }) => {
  const actor = useActor()
  const router = useRouter()
  const { providers = [] } = useCurrentProvider()
  // always the provider that the dialog was opened for, even after another has become the current one
  const [initialProvider] = useState(provider)
  const { service_provider_sid: sid } = initialProvider
  const row = providers.find(({ service_provider_sid }) => service_provider_sid === sid) ?? initialProvider
  const [isOpen, setIsOpen] = useState(true)
  const nextProvider = providers.find(({ service_provider_sid }) => service_provider_sid !== sid)
  const leaveScreen = () => {
    // synchronously: the refetch that follows must not request data of the deleted provider
    flushSync(() =>
      nextProvider ? setCurrentProvider(nextProvider.service_provider_sid) : localValues.provider.clear(),
    )
    return router.navigate({ to: getLandingPath(actor), ignoreBlocker: true })
  }
  return (
    <RemoveDialog
      resource={serviceProvider}
      row={isOpen ? row : undefined}
      removedMessage={({ name }) => messages.removed(name)}
      findDependentsAfterRefusal={findProviderDependents}
      leaveScreen={leaveScreen}
      onClose={() => {
        setIsOpen(false)
        onClose()
      }}
    />
  )
}
