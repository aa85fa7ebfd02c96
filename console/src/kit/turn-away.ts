import { useRouter } from '@tanstack/react-router'
import { Problem } from '../lib/problem'
import { landingOf } from '../session/landing'
import { useActor } from '../session/session'
import { toast } from '../ui/toast'
import { readOne, type Screened } from './record'

/** Answers that say: not yours, or not there for you. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404])

/** Never comes; ends when the page that waits for it is left. */
const never = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('left'))))

/** Says why somebody may not stay on a page, and leads elsewhere. What it answers never comes. */
export const useTurnAway = () => {
  const router = useRouter()
  return (why: string, to: string, signal: AbortSignal) => {
    toast.bad(why)
    void router.navigate({ to, replace: true, ignoreBlocker: true })
    return never(signal)
  }
}

/**
 * How a form reads its record when not everybody may have it: who is refused, or gets a record of another account, is
 * told so and led to where a session begins.
 */
export const useGuardedRead = <Row extends object>(of: Pick<Screened<Row>, 'read' | 'key'>, refusal: string) => {
  const actor = useActor()
  const elsewhere = useTurnAway()
  const turnAway = (signal: AbortSignal) => elsewhere(refusal, landingOf(actor), signal)
  return async (sid: string, signal: AbortSignal): Promise<Row> => {
    try {
      const row = await readOne(of, sid, signal)
      const owner = (row as { account_sid?: unknown }).account_sid
      return actor.scope === 'account' && owner !== actor.account_sid ? await turnAway(signal) : row
    } catch (error) {
      // an administrator is refused nothing: what is not there for one is not there at all
      const refused = error instanceof Problem && !error.hasEndedSession && refusals.has(error.status)
      if (refused && actor.scope !== 'admin') return turnAway(signal)
      throw error
    }
  }
}
