import type { Actor } from '@trunkline/contract/policy/actor'
import { ArrowLeftRight, Keyboard, LogOut, Plus } from 'lucide-react'
import { getKindLabels } from '../../kit/record/kind-labels'
import { newRecordOwner } from '../../kit/list/list-query'
import type { CurrentProvider } from '../../session/current-provider'
import { useCan } from '../../session/session'
import type { PaletteItem } from '../../ui/shell/command-palette-view'
import { screens } from '../screens'
import { useSwitchProvider } from '../switch-provider'

/** A palette item that runs an action instead of opening a page. */
export interface ActionItem extends PaletteItem {
  run: () => void
}

/** Does the text contain the query, or does each word of the query start a word of the text? */
export const matchesQuery = (text: string, query: string): boolean => {
  const wanted = query.trim().toLowerCase()
  const hay = text.toLowerCase()
  if (hay.includes(wanted)) return true
  const words = hay.split(/\s+/)
  return wanted.split(/\s+/).every((part) => words.some((word) => word.startsWith(part)))
}

interface ActionContext {
  actor: Actor
  provider: CurrentProvider
  onShortcuts: () => void
  onSignOut: () => void
}

/** Singular for 'Add', plural for 'Import'. Product names keep their capitals. */
const thingOf = (title: string, kind: string) => {
  const { singular, label } = getKindLabels(kind)
  const words = title === 'Add' ? singular : label
  return /^(Microsoft|SIP)/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1)
}

/** The actions that are available to the user on every page. */
export const usePaletteActions = ({
  actor,
  provider,
  onShortcuts,
  onSignOut,
}: ActionContext): (PaletteItem | ActionItem)[] => {
  const can = useCan()
  const switchTo = useSwitchProvider()
  const owner = newRecordOwner(actor, provider.sid ?? '')
  const adding = screens.flatMap<PaletteItem>(({ path, title, adds, off }) =>
    adds && !off?.() && can('create', adds, owner)
      ? [{ id: path, icon: Plus, label: `${title} ${thingOf(title, adds)}`, href: path, kind: 'Action' }]
      : [],
  )
  const others = actor.scope === 'admin' ? (provider.all ?? []) : []
  const switching = others
    .filter(({ service_provider_sid }) => service_provider_sid !== provider.sid)
    .map<ActionItem>(({ service_provider_sid, name }) => ({
      id: `switch ${service_provider_sid}`,
      icon: ArrowLeftRight,
      label: `Switch to ${name}`,
      detail: 'Service provider',
      kind: 'Action',
      run: () => void switchTo(service_provider_sid),
    }))
  const keys: ActionItem = {
    id: 'shortcuts',
    icon: Keyboard,
    label: 'Keyboard shortcuts',
    kind: 'Action',
    run: onShortcuts,
  }
  const leaving: ActionItem = { id: 'sign out', icon: LogOut, label: 'Sign out', kind: 'Action', run: onSignOut }
  return [...adding, ...switching, keys, leaving]
}
