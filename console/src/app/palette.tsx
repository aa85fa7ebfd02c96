import { useState } from 'react'
import { CommandPaletteView } from '../ui/command-palette-view'
import type { ShownEntry } from './navigation'

export interface PaletteProps {
  opened: boolean
  onClose: () => void
  /** The navigation as this person has it. */
  groups: { items: ShownEntry[] }[]
}

/** Any page, record or action by its name. */
export const Palette = ({ opened, onClose }: PaletteProps) => {
  const [query, setQuery] = useState('')
  return (
    <CommandPaletteView
      opened={opened}
      onClose={onClose}
      query={query}
      onQuery={setQuery}
      groups={[]}
      onPick={onClose}
    />
  )
}
