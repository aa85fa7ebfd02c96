import { useRouter } from '@tanstack/react-router'
import { confirmLeave } from '../kit/form/confirm-leave'
import { clearSavedFilters } from '../lib/storage'
import { getLandingPath } from '../session/landing-path'
import { setCurrentProvider } from '../session/current-provider'
import { useActor } from '../session/session'

/**
 * Makes another service provider the current one and opens the landing screen. Unsaved changes need confirmation first.
 */
export const useSwitchProvider = () => {
  const actor = useActor()
  const router = useRouter()
  return async (sid: string) => {
    if (!(await confirmLeave())) return
    clearSavedFilters()
    setCurrentProvider(sid)
    await router.navigate({ to: getLandingPath(actor), ignoreBlocker: true })
  }
}
