import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { sayNumber } from '../lib/phone'
import { useActor } from '../session/session'
import type { TrailStep } from '../ui/frame'
import { screenAt, sidIn, type Screen } from './screens'

/** The name of a record that its page has read; the trail asks for nothing itself. */
const useRecordName = (screen: Screen | undefined, pathname: string): string | undefined => {
  const sid = screen && sidIn(screen, pathname)
  const { data } = useQuery({ queryKey: [screen?.kind, 'read', sid], enabled: false, queryFn: () => null })
  const { name, username, tenant_fqdn, number } = (data ?? {}) as Record<string, unknown>
  const called = name ?? username ?? tenant_fqdn
  if (typeof called === 'string') return called
  return typeof number === 'string' ? sayNumber(number) : undefined
}

/** Where the reader is: Accounts, Acme, Edit. */
export const useTrail = (): TrailStep[] => {
  const { pathname } = useLocation()
  const actor = useActor()
  const screen = screenAt(pathname)
  const record = useRecordName(screen, pathname)
  if (!screen) return []
  const { parent, kind, title } = screen
  // an account user has one account and no list of them
  const first = parent && (actor.scope === 'account' && kind === 'account' ? { label: 'Account' } : parent)
  return [...(first ? [first] : []), ...(record ? [{ label: record }] : []), { label: title }]
}
