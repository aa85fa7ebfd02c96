import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import { useCurrentProvider } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { CommandPaletteView, type PaletteItem } from '../../ui/shell/command-palette-view'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { paths } from '../../lib/paths'
import { navigateTo } from '../follow-links'
import type { VisibleNavEntry } from '../navigation'
import { matchesQuery, usePaletteActions, type ActionItem } from './actions'
import { createCallSearchItems, createCaptureSearchItems } from './call-search'
import { useRecordSearch } from './record-search'

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
    .map(({ label, icon, href }) => ({ id: `screen ${href}`, icon, label, href, kind: 'Screen' }))

const capturesScreen: PaletteItem = {
  id: 'screen captures',
  icon: Waypoints,
  label: 'Captured SIP',
  href: paths.captures,
  kind: 'Screen',
}

/** Finds any screen, record or action by name. Mounted only while open, so it always opens empty. */
export const Palette = (props: PaletteProps) => {
  const { onClose, groups, onShortcuts, onSignOut, query, onQuery, returnFocusTo } = props
  const router = useRouter()
  const actor = useActor()
  const providerSelection = useCurrentProvider()
  const records = useRecordSearch(query)
  const actions = usePaletteActions({ actor, provider: providerSelection, onShortcuts, onSignOut })
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const canListCaptures = actor.scope === 'admin' && capabilities?.captures === true
  const screens = [...toScreenItems(groups), ...(canListCaptures ? [capturesScreen] : [])]
  // wait for the records: Enter after a number or SID should open its record, if there is one
  const searchItems =
    records.pending || !screens.some(({ href }) => href === paths.recentCalls)
      ? []
      : [...createCallSearchItems(query, capabilities?.callSearch), ...createCaptureSearchItems(query, canListCaptures)]
  const isMatch = (item: PaletteItem) => matchesQuery(item.label, query)

  const selectItem = (item: PaletteItem, inNewTab: boolean) => {
    if (item.href && inNewTab) {
      window.open(item.href, '_blank', 'noopener')
      return
    }
    onClose()
    if (item.href) navigateTo(router, item.href)
    else actions.find((action): action is ActionItem => action.id === item.id && 'run' in action)?.run()
  }
  return (
    <CommandPaletteView
      opened
      onClose={onClose}
      returnFocusTo={returnFocusTo}
      query={query}
      onQuery={onQuery}
      pending={records.pending}
      groups={[
        { label: 'Records', items: records.items },
        { label: 'Screens', items: screens.filter(isMatch) },
        { label: 'Actions', items: [...searchItems, ...actions.filter(isMatch)] },
      ]}
      onSelect={selectItem}
    />
  )
}
