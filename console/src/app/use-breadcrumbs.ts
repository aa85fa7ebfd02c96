import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { Actor } from '@trunkline/contract/policy/actor'
import { kindWords } from '../kit/record/kind-labels'
import { useMayChange } from '../kit/record/use-may-change'
import { sayNumber } from '../lib/phone-number'
import { useActor } from '../session/session'
import type { TrailStep } from '../ui/shell/frame'
import { screenAt, sidIn, type Screen } from './screens'

/** Returns the record that the page has loaded, and its name. The breadcrumbs send no requests themselves. */
const useRecord = (screen: Screen | undefined, pathname: string) => {
  const cache = useQueryClient()
  const key = [screen?.kind, 'read', screen && sidIn(screen, pathname)]
  // the page stores the name under the record's key plus 'title'
  const { data } = useQuery<string | null>({ queryKey: [...key, 'title'], enabled: false, queryFn: () => null })
  const name = data && screen?.kind === 'phone_number' ? sayNumber(data) : (data ?? undefined)
  return { name, record: cache.getQueryData(key) }
}

/** May the actor not open this list? Its name still appears in the breadcrumbs. */
const isClosed = (href: string, actor: Actor) => screenAt(href)?.refuses?.(actor, undefined) !== undefined

/** The list that the record belongs to; without a link if the user may not open it. */
const listOf = ({ parent, kind }: Screen, actor: Actor): TrailStep[] => {
  // an account user has one account and no list of accounts
  if (actor.scope === 'account' && kind === 'account') return [{ label: 'Account' }]
  if (!parent) return []
  return [isClosed(parent.href, actor) ? { label: parent.label } : parent]
}

/** The breadcrumbs: Accounts, Acme, Edit. Without 'Edit' if the user can only view the record. */
export const useTrail = (): TrailStep[] => {
  const { pathname } = useLocation()
  const actor = useActor()
  const screen = screenAt(pathname)
  const { name, record } = useRecord(screen, pathname)
  const mayChange = useMayChange(screen?.kind, record)
  if (!screen) return []
  const { kind, title } = screen
  const list = listOf(screen, actor)
  if (kind && !mayChange) return [...list, { label: name ?? kindWords(kind).one }]
  return [...list, ...(name ? [{ label: name }] : []), { label: title }]
}
