import { useRouter } from '@tanstack/react-router'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { lazy, Suspense, useState } from 'react'
import { landingOf } from '../session/landing'
import { chooseProvider, type CurrentProvider } from '../session/provider'
import { useActor, useCan } from '../session/session'
import { clearSavedFilters } from '../lib/storage'
import { ProviderSwitcher } from '../ui/provider-switcher'

const AddProvider = lazy(() => import('./provider-dialogs').then((it) => ({ default: it.AddProvider })))
const RemoveProvider = lazy(() => import('./provider-dialogs').then((it) => ({ default: it.RemoveProvider })))

/** The service provider in the sidebar: administrators switch, add and delete; others read its name. */
export const Provider = ({ provider: { current, all = [] } }: { provider: CurrentProvider }) => {
  const actor = useActor()
  const can = useCan()
  const router = useRouter()
  const [dialog, setDialog] = useState<'add' | 'remove'>()
  // stays what it was while the next one already is the current one
  const [doomed, setDoomed] = useState<ServiceProvider>()
  const option = current && { value: current.service_provider_sid, label: current.name }
  if (actor.scope !== 'admin') return <ProviderSwitcher current={option} />

  const change = (sid: string) => {
    clearSavedFilters()
    chooseProvider(sid)
    void router.navigate({ to: landingOf(actor) })
  }
  const close = () => setDialog(undefined)
  const askRemove = () => {
    setDoomed(current)
    setDialog('remove')
  }
  const next = all.find(({ service_provider_sid }) => service_provider_sid !== doomed?.service_provider_sid)
  const several = all.length > 1
  return (
    <>
      <ProviderSwitcher
        current={option}
        providers={all.map((each) => ({ value: each.service_provider_sid, label: each.name }))}
        onChange={change}
        onAdd={can('create', 'service_provider') ? () => setDialog('add') : undefined}
        onRemove={several && can('remove', 'service_provider') ? askRemove : undefined}
      />
      <Suspense>
        {dialog === 'add' ? <AddProvider onClose={close} onAdded={change} /> : null}
        {dialog === 'remove' && doomed ? <RemoveProvider provider={doomed} next={next} onClose={close} /> : null}
      </Suspense>
    </>
  )
}
