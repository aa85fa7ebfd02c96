import { useRouter } from '@tanstack/react-router'
import { Problem } from '../../lib/problem'
import { getLandingPath } from '../../session/landing-path'
import { useActor } from '../../session/session'
import { toast } from '../../ui/feedback/toast'
import { fetchRecord, type AnyResource } from '../record/record'

/** Statuses that mean: not visible to this user, or forbidden. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 403, 404])

/** Never resolves. Rejects when the user leaves the screen that waits for it. */
const waitForAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('The screen was left'))))

/** Shows an error and navigates away. Returns a promise that never resolves, so that the screen renders nothing. */
export const useRedirectWithError = () => {
  const router = useRouter()
  return (message: string, to: string, signal: AbortSignal) => {
    toast.bad(message)
    void router.navigate({ to, replace: true, ignoreBlocker: true })
    return waitForAbort(signal)
  }
}

/**
 * Reads the record of a form that not every user may open. If the server refuses, or the record belongs to another
 * account, shows the reason and opens the landing screen.
 */
export const useReadOrRedirect = <Row extends object>(
  resource: Pick<AnyResource<Row>, 'read' | 'key'>,
  refusalMessage: string,
) => {
  const actor = useActor()
  const redirectWithError = useRedirectWithError()
  const redirect = (signal: AbortSignal) => redirectWithError(refusalMessage, getLandingPath(actor), signal)
  return async (sid: string, signal: AbortSignal): Promise<Row> => {
    try {
      const row = await fetchRecord(resource, sid, signal)
      const owner = (row as { account_sid?: unknown }).account_sid
      return actor.scope === 'account' && owner !== actor.account_sid ? await redirect(signal) : row
    } catch (error) {
      // administrators may read everything: for them, a refusal means that the record does not exist
      const isRefusal = error instanceof Problem && !error.hasEndedSession && refusalStatuses.has(error.status)
      if (isRefusal && actor.scope !== 'admin') return redirect(signal)
      throw error
    }
  }
}
