import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { Actor } from '@trunkline/contract/policy/actor'
import { sayNumber } from '../lib/phone'
import { useActor } from '../session/session'
import type { TrailStep } from '../ui/frame'
import { screenAt, sidIn, type Screen } from './screens'

/** What a record is called that its page has read; the trail asks for nothing itself. */
const useRecordName = (screen: Screen | undefined, pathname: string): string | undefined => {
  const sid = screen && sidIn(screen, pathname)
  const { data } = useQuery<string | null>({
    queryKey: [screen?.kind, 'read', sid, 'title'],
    enabled: false,
    queryFn: () => null,
  })
  return data && screen?.kind === 'phone_number' ? sayNumber(data) : (data ?? undefined)
}

/** A list that not everybody may see is named all the same. */
const isClosed = (href: string, actor: Actor) => screenAt(href)?.refuses?.(actor, undefined) !== undefined

/** Where the reader is: Accounts, Acme, Edit. */
export const useTrail = (): TrailStep[] => {
  const { pathname } = useLocation()
  const actor = useActor()
  const screen = screenAt(pathname)
  const record = useRecordName(screen, pathname)
  if (!screen) return []
  const { parent, kind, title } = screen
  // an account user has one account and no list of them
  const list = actor.scope === 'account' && kind === 'account' ? { label: 'Account' } : parent
  const first = list && 'href' in list && isClosed(list.href, actor) ? { label: list.label } : list
  return [...(first ? [first] : []), ...(record ? [{ label: record }] : []), { label: title }]
}
