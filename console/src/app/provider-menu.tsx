import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../ui/feedback/lazy-component'
import { getDrafts } from '../session/unsaved-drafts'
import type { CurrentProvider } from '../session/current-provider'
import { useActor, useCan } from '../session/session'
import { ProviderSwitcher } from '../ui/shell/provider-switcher'
import { useSwitchProvider } from './switch-provider'

const AddProvider = lazyComponent(() => import('./add-provider').then((it) => it.AddProvider))
const RemoveProvider = lazyComponent(() => import('../panels/remove-provider').then((it) => it.RemoveProvider))

/**
 * The service provider in the sidebar. Administrators can switch, add and delete providers; others only see its name.
 */
export const ProviderMenu = ({ provider: { current, all = [] } }: { provider: CurrentProvider }) => {
  const actor = useActor()
  const can = useCan()
  const switchTo = useSwitchProvider()
  // reopen the dialog if the session ended while the user was typing in it
  const [dialog, setDialog] = useState<'add' | 'remove' | undefined>(() =>
    getDrafts(actor.user_sid).some((each) => each.dialog === 'add-provider') ? 'add' : undefined,
  )
  // the provider to delete: stays the same after another one becomes current
  const [recordToDelete, setRecordToDelete] = useState<ServiceProvider>()
  const option = current && { value: current.service_provider_sid, label: current.name }
  if (actor.scope !== 'admin') return <ProviderSwitcher current={option} />

  const change = (sid: string) => void switchTo(sid)
  const close = () => setDialog(undefined)
  const askRemove = () => {
    setRecordToDelete(current)
    setDialog('remove')
  }
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
        {dialog === 'remove' && recordToDelete ? <RemoveProvider provider={recordToDelete} onClose={close} /> : null}
      </Suspense>
    </>
  )
}
