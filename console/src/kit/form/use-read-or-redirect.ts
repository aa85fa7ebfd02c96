import { useRouter } from '@tanstack/react-router'
import { Problem } from '../../lib/problem'
import { landingPathOf } from '../../session/landing-path'
import { useActor } from '../../session/session'
import { toast } from '../../ui/feedback/toast'
import { fetchRecord, type AnyResource } from '../record/record'

/** Statuses that mean: not visible to this user, or forbidden. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404])

/** Never resolves. Rejects when the user leaves the page that waits for it. */
const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('left'))))

/** Shows an error and navigates away. Returns a promise that never resolves, so that the page renders nothing. */
export const useRedirectWithError = () => {
  const router = useRouter()
  return (why: string, to: string, signal: AbortSignal) => {
    toast.bad(why)
    void router.navigate({ to, replace: true, ignoreBlocker: true })
    return never(signal)
  }
}

/**
 * Reads the record of a form that not every user may open. If the server refuses, or the record belongs to another
 * account, shows the reason and opens the landing page.
 */
export const useReadOrRedirect = <Row extends object>(
  resource: Pick<AnyResource<Row>, 'read' | 'key'>,
  refusal: string,
) => {
  const actor = useActor()
  const elsewhere = useRedirectWithError()
  const turnAway = (signal: AbortSignal) => elsewhere(refusal, landingPathOf(actor), signal)
  return async (sid: string, signal: AbortSignal): Promise<Row> => {
    try {
      const row = await fetchRecord(resource, sid, signal)
      const owner = (row as { account_sid?: unknown }).account_sid
      return actor.scope === 'account' && owner !== actor.account_sid ? await turnAway(signal) : row
    } catch (error) {
      // administrators may read everything: for them, a refusal means that the record does not exist
      const refused = error instanceof Problem && !error.hasEndedSession && refusals.has(error.status)
      if (refused && actor.scope !== 'admin') return turnAway(signal)
      throw error
    }
  }
}
