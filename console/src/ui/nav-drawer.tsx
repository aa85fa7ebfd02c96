import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Drawer.layer.css'
import { Drawer } from '@mantine/core'
import type { MouseEvent, ReactNode } from 'react'
import css from './nav-drawer.module.css'

export interface NavDrawerProps {
  opened: boolean
  onClose: () => void
  children: ReactNode
}

/** The sidebar of a narrow window. Following a link in it closes it. */
export const NavDrawer = ({ opened, onClose, children }: NavDrawerProps) => (
  <Drawer.Root opened={opened} onClose={onClose} size={288} position="left" lockScroll={false}>
    <Drawer.Overlay className={css.scrim} backgroundOpacity={1} blur={0} />
    <Drawer.Content
      className={css.drawer}
      aria-label="Menu"
      onClick={(event: MouseEvent<HTMLElement>) => {
        if (event.target instanceof Element && event.target.closest('a')) onClose()
      }}
    >
      {children}
    </Drawer.Content>
  </Drawer.Root>
)
