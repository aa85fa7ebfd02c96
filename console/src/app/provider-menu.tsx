import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../ui/feedback/lazy-component'
import { getUnsavedInputs } from '../session/unsaved-inputs'
import type { ProviderSelection } from '../session/current-provider'
import { useActor, useCan } from '../session/session'
import { ProviderSwitcher } from '../ui/shell/provider-switcher'
import { useSwitchProvider } from './switch-provider'

const AddProvider = lazyComponent(() => import('./add-provider').then((module) => module.AddProvider))
const RemoveProvider = lazyComponent(() => import('../panels/remove-provider').then((module) => module.RemoveProvider))

/**
 * The service provider in the sidebar. Administrators can switch, add and delete providers; others only see its name.
 */
export const ProviderMenu = ({ selection: { current, providers = [] } }: { selection: ProviderSelection }) => {
  const actor = useActor()
  const can = useCan()
  const switchTo = useSwitchProvider()
  // reopen the dialog if the session ended while the user was typing in it
  const [dialog, setDialog] = useState<'add' | 'remove' | undefined>(() =>
    getUnsavedInputs(actor.user_sid).some((unsavedInput) => unsavedInput.dialog === 'add-provider') ? 'add' : undefined,
  )
  // the provider to delete: stays the same after another one becomes current
  const [recordToDelete, setRecordToDelete] = useState<ServiceProvider>()
  const currentOption = current && { value: current.service_provider_sid, label: current.name }
  if (actor.scope !== 'admin') return <ProviderSwitcher current={currentOption} />

  const handleChange = (sid: string) => void switchTo(sid)
  const close = () => setDialog(undefined)
  const openRemoveDialog = () => {
    setRecordToDelete(current)
    setDialog('remove')
  }
  const hasSeveralProviders = providers.length > 1
  return (
    <>
      <ProviderSwitcher
        current={currentOption}
        providers={providers.map((provider) => ({ value: provider.service_provider_sid, label: provider.name }))}
        onChange={handleChange}
        onAdd={can('create', 'service_provider') ? () => setDialog('add') : undefined}
        onRemove={hasSeveralProviders && can('remove', 'service_provider') ? openRemoveDialog : undefined}
      />
      <Suspense>
        {dialog === 'add' ? <AddProvider onClose={close} onAdded={handleChange} /> : null}
        {dialog === 'remove' && recordToDelete ? <RemoveProvider provider={recordToDelete} onClose={close} /> : null}
      </Suspense>
    </>
  )
}
