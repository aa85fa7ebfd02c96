import { useWindowEvent } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Layer } from './layer'
import css from './nav-drawer.module.css'

export interface NavDrawerProps {
  opened: boolean
  onClose: () => void
  children: ReactNode
}

/** The sidebar of a narrow window. Following a link in it closes it. */
export const NavDrawer = ({ opened, onClose, children }: NavDrawerProps) => {
  useWindowEvent('click', (event) => {
    if (event.target instanceof Element && event.target.closest('[data-drawer] a')) onClose()
  })
  return (
    <Layer opened={opened} onClose={onClose} label="Menu" className={css.drawer}>
      <div className={css.inside} data-drawer>
        {children}
      </div>
    </Layer>
  )
}
