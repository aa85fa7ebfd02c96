import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import { Modal } from '@mantine/core'
import { X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { IconButton } from './button'
import css from './dialog.module.css'

export interface DialogProps {
  opened: boolean
  onClose: () => void
  title: string
  /** Buttons at the right of the foot. */
  foot?: ReactNode
  /** 'alertdialog' when it asks something that must be answered. */
  role?: 'dialog' | 'alertdialog'
  /** Nothing closes it while something is on its way. */
  pending?: boolean
  width?: number
  children?: ReactNode
}

/** The one window over the page. The focus goes in, stays in, and comes back. */
export const Dialog = ({
  opened,
  onClose,
  title,
  foot,
  role = 'dialog',
  pending,
  width = 520,
  children,
}: DialogProps) => {
  const id = useId()
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={width}
      yOffset="12vh"
      closeOnEscape={!pending}
      closeOnClickOutside={!pending}
      // the page behind has no scroll of its own, and locking would write a <style> that the content policy refuses
      lockScroll={false}
    >
      <Modal.Overlay className={css.scrim} backgroundOpacity={1} blur={0} />
      <Modal.Content role={role} radius="lg" className={css.dialog} aria-labelledby={id}>
        <header className={css.head}>
          <h2 id={id}>{title}</h2>
          <IconButton icon={X} label="Close" onClick={onClose} disabled={pending} />
        </header>
        <div className={css.body}>{children}</div>
        {foot ? <footer className={css.foot}>{foot}</footer> : null}
      </Modal.Content>
    </Modal.Root>
  )
}
