import { useId, type FormEvent, type ReactNode } from 'react'
import { Button } from '../button'
import { Dialog } from './dialog'
import css from './dialog.module.css'
import { FieldMessage } from '../form/field-message'

export interface FormDialogProps {
  opened: boolean
  title: string
  /** A line above the fields. */
  description?: ReactNode
  /** 'Save', 'Add'. */
  submitLabel: string
  tone?: 'primary' | 'danger'
  pending?: boolean
  /** Server error that belongs to no field. */
  error?: string
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  onClose: () => void
  children: ReactNode
}

/** A short form in a dialog. */
export const FormDialog = (props: FormDialogProps) => {
  const {
    opened,
    title,
    description,
    submitLabel,
    tone = 'primary',
    pending,
    error,
    onSubmit,
    onClose,
    children,
  } = props
  const formId = useId()
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={title}
      pending={pending}
      footer={
        <>
          <Button onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          <Button variant={tone} type="submit" form={formId} pending={pending}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className={css.form} onSubmit={onSubmit}>
        {description ? <p>{description}</p> : null}
        {children}
        {error ? <FieldMessage>{error}</FieldMessage> : null}
      </form>
    </Dialog>
  )
}
