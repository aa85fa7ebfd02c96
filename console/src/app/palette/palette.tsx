import { useQuery } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { Hash, Waypoints } from 'lucide-react'
import { useState } from 'react'
import { getKindLabels } from '../../kit/record/kind-labels'
import { getScreenActions, type ScreenAction } from '../../kit/record/screen-actions'
import { useCurrentProvider, useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { CommandPaletteView, type PaletteGroup, type PaletteItem } from '../../ui/shell/command-palette-view'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { paths, recordPath } from '../../lib/paths'
import { navigateTo } from '../follow-links'
import type { VisibleNavEntry } from '../navigation'
import { findScreen, getSidFromPath } from '../screens'
import { matchesQuery, usePaletteActions, type ActionItem } from './actions'
import { createCallSearchItems, createCaptureSearchItems } from './call-search'
import { getRecentRecords, type RecentRecord } from './recent-records'
import { useRecordLinks } from './record-links'
import { rankMatch, sortByMatch, useRecordSearch } from './record-search'

export interface PaletteProps {
  onClose: () => void
  /** The navigation entries that are visible to the user. */
  groups: { items: VisibleNavEntry[] }[]
  onShortcuts: () => void
  onSignOut: () => void
  /** The typed text. The shell holds it, because typing can start before this code has loaded. */
  query: string
  onQuery: (query: string) => void
  /** The element that had the focus before. */
  returnFocusTo: Element | null
}

const toScreenItems = (groups: PaletteProps['groups']): PaletteItem[] =>
  groups
    .flatMap(({ items }) => items)
    .map(({ label, icon, href, shortcut }) => ({
      id: `screen ${href}`,
      icon,
      label,
      href,
      ...(shortcut ? { keys: ['G', shortcut.toUpperCase()] } : {}),
    }))

const capturesScreen: PaletteItem = {
  id: 'screen captures',
  icon: Waypoints,
  label: 'Captured SIP',
  href: paths.captures,
}

/** The actions of the screen in view. */
const toPageItems = (screenActions: readonly ScreenAction[]): (PaletteItem | ActionItem)[] =>
  screenActions.map((action) => ({ ...action, id: `page ${action.label}` }))

const toRecentItems = (records: readonly RecentRecord[]): PaletteItem[] =>
  records.flatMap(({ kind, sid, name }) => {
    const href = recordPath(kind, sid)
    if (!href || !findScreen(href)) return []
    const { icon = Hash, singular } = getKindLabels(kind)
    return [{ id: `recent ${kind} ${sid}`, icon, label: name, kind: singular, href }]
  })

/** The records that the user has opened last, without the one in view. */
const useRecentItems = (): PaletteItem[] => {
  const actor = useActor()
  const providerSid = useProviderSid()
  const { pathname } = useLocation()
  const screen = findScreen(pathname)
  return toRecentItems(getRecentRecords(actor, providerSid, screen && getSidFromPath(screen, pathname)))
}

/** Sorts the best match to the top: within each group, then the groups by their first item. */
const sortGroups = (groups: readonly PaletteGroup[], query: string): PaletteGroup[] => {
  const getLabel = ({ label }: PaletteItem) => label
  const rankFirst = ({ items: [first] }: PaletteGroup) => (first ? rankMatch(first.label, query) : Infinity)
  return groups
    .map((group) => ({ ...group, items: sortByMatch(group.items, getLabel, query) }))
    .toSorted((first, second) => rankFirst(first) - rankFirst(second))
}

/** Finds any screen, record or action by name. Mounted only while open, so it always opens empty. */
export const Palette = (props: PaletteProps) => {
  const { onClose, groups, onShortcuts, onSignOut, query, onQuery, returnFocusTo } = props
  const router = useRouter()
  const actor = useActor()
  const providerSelection = useCurrentProvider()
  const records = useRecordSearch(query)
  const recordLinks = useRecordLinks(records.items[0])
  const actions = usePaletteActions({ actor, provider: providerSelection, onShortcuts, onSignOut })
  // the screen in view does not change while the palette is open
  const [pageItems] = useState(() => toPageItems(getScreenActions()))
  const recentItems = useRecentItems()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const canListCaptures = actor.scope === 'admin' && capabilities?.captures === true
  const screens = [...toScreenItems(groups), ...(canListCaptures ? [capturesScreen] : [])]
  // wait for the records: Enter after a number or SID should open its record, if there is one
  const searchItems =
    records.pending || !screens.some(({ href }) => href === paths.recentCalls)
      ? []
      : [...createCallSearchItems(query, capabilities?.callSearch), ...createCaptureSearchItems(query, canListCaptures)]
  const isMatch = (item: PaletteItem) => matchesQuery(item.label, query)

  const groupsOfResults = [
    { label: 'Records', items: records.items },
    { label: 'Go to', items: recordLinks },
    { label: 'On this page', items: pageItems.filter(isMatch) },
    { label: 'Screens', items: screens.filter(isMatch) },
    { label: 'Actions', items: actions.filter(isMatch) },
  ]
  const shownGroups =
    query.trim() === ''
      ? [{ label: 'Recent', items: recentItems }, ...groupsOfResults]
      : [...sortGroups(groupsOfResults, query), { label: 'Calls', items: searchItems }]

  const selectItem = (item: PaletteItem, inNewTab: boolean) => {
    if (item.href && inNewTab) {
      window.open(item.href, '_blank', 'noopener')
      return
    }
    onClose()
    if (item.href) navigateTo(router, item.href)
    else
      [...pageItems, ...actions].find((action): action is ActionItem => action.id === item.id && 'run' in action)?.run()
  }
  return (
    <CommandPaletteView
      opened
      onClose={onClose}
      returnFocusTo={returnFocusTo}
      query={query}
      onQuery={onQuery}
      pending={records.pending}
      groups={shownGroups}
      onSelect={selectItem}
    />
  )
}
