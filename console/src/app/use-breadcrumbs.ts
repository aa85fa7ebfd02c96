import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { Actor } from '@trunkline/contract/policy/actor'
import { getKindLabels } from '../kit/record/kind-labels'
import { useCanEdit } from '../kit/record/use-can-edit'
import { formatPhoneNumber } from '../lib/phone-number'
import { useActor } from '../session/session'
import type { Breadcrumb } from '../ui/shell/frame'
import { findScreen, getSidFromPath, type Screen } from './screens'

/** Returns the record that the page has loaded, and its name. The breadcrumbs send no requests themselves. */
const useRecord = (screen: Screen | undefined, pathname: string) => {
  const cache = useQueryClient()
  const key = [screen?.kind, 'read', screen && getSidFromPath(screen, pathname)]
  // the page stores the name under the record's key plus 'title'
  const { data } = useQuery<string | null>({ queryKey: [...key, 'title'], enabled: false, queryFn: () => null })
  const name = data && screen?.kind === 'phone_number' ? formatPhoneNumber(data) : (data ?? undefined)
  return { name, record: cache.getQueryData(key) }
}

/** May the actor not open this list? Its name still appears in the breadcrumbs. */
const isClosed = (href: string, actor: Actor) => findScreen(href)?.refuses?.(actor, undefined) !== undefined

/** The list that the record belongs to; without a link if the user may not open it. */
const listOf = ({ parent, kind }: Screen, actor: Actor): Breadcrumb[] => {
  // an account user has one account and no list of accounts
  if (actor.scope === 'account' && kind === 'account') return [{ label: 'Account' }]
  if (!parent) return []
  return [isClosed(parent.href, actor) ? { label: parent.label } : parent]
}

/** The breadcrumbs: Accounts, Acme, Edit. Without 'Edit' if the user can only view the record. */
export const useBreadcrumbs = (): Breadcrumb[] => {
  const { pathname } = useLocation()
  const actor = useActor()
  const screen = findScreen(pathname)
  const { name, record } = useRecord(screen, pathname)
  const mayChange = useCanEdit(screen?.kind, record)
  if (!screen) return []
  const { kind, title } = screen
  const list = listOf(screen, actor)
  if (kind && !mayChange) return [...list, { label: name ?? getKindLabels(kind).singular }]
  return [...list, ...(name ? [{ label: name }] : []), { label: title }]
}
