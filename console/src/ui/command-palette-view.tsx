import type { LucideIcon } from 'lucide-react'

export interface PaletteItem {
  id: string
  icon: LucideIcon
  label: string
  /** Beside the name: a sid, a realm, an owner. */
  detail?: string
  mono?: boolean
  /** At the right: 'Account', 'Page', 'Action'. */
  kind: string
  /** Where it leads; without one it is something to do. */
  href?: string
}

export interface PaletteGroup {
  /** 'Records', 'Pages', 'Actions' */
  label: string
  items: PaletteItem[]
}

export interface CommandPaletteViewProps {
  opened: boolean
  onClose: () => void
  query: string
  onQuery: (query: string) => void
  /** Groups without items are not drawn. */
  groups: PaletteGroup[]
  /** Records are still being looked for. */
  pending?: boolean
  /** Enter or a press; `newTab` with Ctrl or Cmd held. */
  onPick: (item: PaletteItem, newTab: boolean) => void
}

/** Any page, record or action by its name. */
export const CommandPaletteView = (props: CommandPaletteViewProps) => (props.opened ? <div /> : null)
