import { useRouter } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/service-provider'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { serviceProvider } from '@trunkline/contract/resources/service-provider'
import { user } from '@trunkline/contract/resources/user'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { kept } from '../lib/storage'
import { landingOf } from '../session/landing-path'
import { chooseProvider, useProvider } from '../session/current-provider'
import { useActor } from '../session/session'
import { RemoveDialog } from '../kit/record/remove-dialog'
import { askUses, type Use } from '../kit/record/dependents'

/** The dependents of a provider, for servers that refuse without a reason: its accounts and users. */
const usesOf = async ({ service_provider_sid }: ServiceProvider): Promise<Use[]> => {
  const title = (row: Record<string, unknown>) => String(row.name)
  const found = await Promise.all([
    askUses({ kind: 'account', list: accountsOfProvider, params: { service_provider_sid }, title }),
    askUses({
      kind: 'user',
      list: user.list,
      query: { service_provider_sid },
      mine: (row) => row.service_provider_sid === service_provider_sid,
      title,
    }),
  ])
  return found.flat()
}

/** Deletes a service provider after a confirmation, then makes the first of the others, by name, the current one. */
export const RemoveProvider = ({ provider, onClose }: { provider: ServiceProvider; onClose: () => void }) => {
  const actor = useActor()
  const router = useRouter()
  const { all = [] } = useProvider()
  const [row, setRow] = useState<ServiceProvider | undefined>(provider)
  const next = all.find(({ service_provider_sid }) => service_provider_sid !== provider.service_provider_sid)
  const leave = () => {
    // synchronously: the refetch that follows must not request data of the deleted provider
    flushSync(() => (next ? chooseProvider(next.service_provider_sid) : kept.provider.clear()))
    return router.navigate({ to: landingOf(actor), ignoreBlocker: true })
  }
  return (
    <RemoveDialog
      of={serviceProvider}
      row={row}
      removed={({ name }) => messages.removed(name)}
      explain={usesOf}
      leave={leave}
      onClose={() => {
        setRow(undefined)
        onClose()
      }}
    />
  )
}
