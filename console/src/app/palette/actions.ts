import type { Actor } from '@trunkline/contract/policy/actor'
import { ArrowLeftRight, Keyboard, LogOut, Plus } from 'lucide-react'
import { getKindLabels } from '../../kit/record/kind-labels'
import { getNewRecordOwner } from '../../kit/list/list-query'
import type { ProviderSelection } from '../../session/current-provider'
import { useCan } from '../../session/session'
import type { PaletteItem } from '../../ui/shell/command-palette-view'
import { toLowerCaseLabel } from '../lower-case-label'
import { screens } from '../screens'
import { useSwitchProvider } from '../switch-provider'

/** A palette item that runs an action instead of opening a screen. */
export interface ActionItem extends PaletteItem {
  run: () => void
}

/** Does the text contain the query, or does each word of the query start a word of the text? */
export const matchesQuery = (text: string, query: string): boolean => {
  const normalizedQuery = query.trim().toLowerCase()
  const normalizedText = text.toLowerCase()
  if (normalizedText.includes(normalizedQuery)) return true
  const words = normalizedText.split(/\s+/)
  return normalizedQuery.split(/\s+/).every((queryWord) => words.some((word) => word.startsWith(queryWord)))
}

interface ActionContext {
  actor: Actor
  provider: ProviderSelection
  onShortcuts: () => void
  onSignOut: () => void
}

/** The label of a kind of record after the title of its screen: singular after 'Add', plural after 'Import'. */
const getLabelInAction = (screenTitle: string, kind: string) => {
  const { singular, label } = getKindLabels(kind)
  return toLowerCaseLabel(screenTitle === 'Add' ? singular : label)
}

/** The actions that are available to the user on every screen. */
export const usePaletteActions = ({
  actor,
  provider: providerSelection,
  onShortcuts,
  onSignOut,
}: ActionContext): (PaletteItem | ActionItem)[] => {
  const can = useCan()
  const switchTo = useSwitchProvider()
  const owner = getNewRecordOwner(actor, providerSelection.sid ?? '')
  const addItems = screens.flatMap<PaletteItem>(({ path, title, addedKind, isDisabled }) =>
    addedKind && !isDisabled?.() && can('create', addedKind, owner)
      ? [{ id: path, icon: Plus, label: `${title} ${getLabelInAction(title, addedKind)}`, href: path }]
      : [],
  )
  const providers = actor.scope === 'admin' ? (providerSelection.providers ?? []) : []
  const switchItems = providers
    .filter(({ service_provider_sid }) => service_provider_sid !== providerSelection.sid)
    .map<ActionItem>(({ service_provider_sid, name }) => ({
      id: `switch ${service_provider_sid}`,
      icon: ArrowLeftRight,
      label: `Switch to ${name}`,
      detail: 'Service provider',
      run: () => void switchTo(service_provider_sid),
    }))
  const shortcutsItem: ActionItem = {
    id: 'shortcuts',
    icon: Keyboard,
    label: 'Keyboard shortcuts',
    keys: ['?'],
    run: onShortcuts,
  }
  const signOutItem: ActionItem = { id: 'sign out', icon: LogOut, label: 'Sign out', run: onSignOut }
  return [...addItems, ...switchItems, shortcutsItem, signOutItem]
}
