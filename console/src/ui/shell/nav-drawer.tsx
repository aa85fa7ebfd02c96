import type { MouseEvent, ReactNode } from 'react'
import { Modal } from '../dialog/modal'
import css from './nav-drawer.module.css'

export interface NavDrawerProps {
  opened: boolean
  onClose: () => void
  children: ReactNode
}

/** The sidebar of a narrow window. It closes when a link in it is followed. */
export const NavDrawer = ({ opened, onClose, children }: NavDrawerProps) => {
  const closeOnLink = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a')) onClose()
  }
  return (
    <Modal opened={opened} onClose={onClose} label="Menu" className={css.drawer}>
      {/* the links inside handle the keyboard, and their clicks bubble up to here */}
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div className={css.content} onClick={closeOnLink}>
        {children}
      </div>
    </Modal>
  )
}
