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
  /** Label of the submit button: 'Save', 'Add'. */
  submit: string
  cancel?: string
  tone?: 'primary' | 'danger'
  pending: boolean
  /** Server error that belongs to no field. */
  error: string | undefined
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
    submit,
    cancel = 'Cancel',
    tone = 'primary',
    pending,
    error,
    onSubmit,
    onClose,
    children,
  } = props
  const form = useId()
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={title}
      pending={pending}
      footer={
        <>
          <Button onClick={onClose} disabled={pending}>
            {cancel}
          </Button>
          <Button variant={tone} type="submit" form={form} pending={pending}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={form} noValidate className={css.form} onSubmit={onSubmit}>
        {description ? <p>{description}</p> : null}
        {children}
        {error ? <FieldMessage>{error}</FieldMessage> : null}
      </form>
    </Dialog>
  )
}
