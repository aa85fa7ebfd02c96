import type { ReactNode } from 'react'
import { Button } from '../button'
import { Dialog } from './dialog'
import { FieldMessage } from '../form/field-message'

export interface ConfirmDialogProps {
  opened: boolean
  title: string
  /** The question to confirm; it names the record. */
  question: ReactNode
  confirmLabel: string
  cancelLabel?: string
  tone?: 'danger' | 'primary'
  pending?: boolean
  error?: string
  onConfirm: () => void
  onClose: () => void
  children?: ReactNode
}

/** Asks for confirmation of an action. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const {
    opened,
    title,
    question,
    confirmLabel,
    cancelLabel = 'Cancel',
    tone = 'danger',
    pending,
    error,
    onConfirm,
    onClose,
    children,
  } = props
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={title}
      role="alertdialog"
      pending={pending}
      width="narrow"
      footer={
        <>
          <Button onClick={onClose} disabled={pending} data-autofocus>
            {cancelLabel}
          </Button>
          <Button variant={tone} pending={pending} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <p>{question}</p>
      {children}
      {error ? <FieldMessage>{error}</FieldMessage> : null}
    </Dialog>
  )
}
