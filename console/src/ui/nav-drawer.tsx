import type { MouseEvent, ReactNode } from 'react'
import { Layer } from './layer'
import css from './nav-drawer.module.css'

export interface NavDrawerProps {
  opened: boolean
  onClose: () => void
  children: ReactNode
}

/** The sidebar of a narrow window. Following a link in it closes it. */
export const NavDrawer = ({ opened, onClose, children }: NavDrawerProps) => (
  <Layer
    opened={opened}
    onClose={onClose}
    label="Menu"
    className={css.drawer}
    onClick={(event: MouseEvent<HTMLElement>) => {
      if (event.target instanceof Element && event.target.closest('a')) onClose()
    }}
  >
    {children}
  </Layer>
)
