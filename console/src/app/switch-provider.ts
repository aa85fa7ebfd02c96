import { useRouter } from '@tanstack/react-router'
import { mayLeave } from '../kit/form/may-leave'
import { clearSavedFilters } from '../lib/storage'
import { landingOf } from '../session/landing-path'
import { chooseProvider } from '../session/current-provider'
import { useActor } from '../session/session'

/**
 * Makes another service provider the current one and opens the landing page. Unsaved changes need confirmation first.
 */
export const useSwitchProvider = () => {
  const actor = useActor()
  const router = useRouter()
  return async (sid: string) => {
    if (!(await mayLeave())) return
    clearSavedFilters()
    chooseProvider(sid)
    await router.navigate({ to: landingOf(actor), ignoreBlocker: true })
  }
}
