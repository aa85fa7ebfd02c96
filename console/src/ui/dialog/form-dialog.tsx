import { useId, type FormEvent, type ReactNode } from 'react'
import { Button } from '../button'
import { Dialog } from './dialog'
import css from './dialog.module.css'
import { FieldError } from '../form/field-error'

export interface FormDialogProps {
  opened: boolean
  title: string
  /** A line above the fields. */
  lede?: ReactNode
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
    lede,
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
      foot={
        <>
          <Button onClick={onClose} disabled={pending}>
            {cancel}
          </Button>
          <Button look={tone} type="submit" form={form} pending={pending}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={form} noValidate className={css.form} onSubmit={onSubmit}>
        {lede ? <p>{lede}</p> : null}
        {children}
        {error ? <FieldError>{error}</FieldError> : null}
      </form>
    </Dialog>
  )
}
