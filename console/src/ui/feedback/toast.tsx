import { CircleAlert, CircleCheck, X } from 'lucide-react'
import { useSyncExternalStore, type FocusEvent, type PointerEvent } from 'react'
import { createPortal } from 'react-dom'
import { IconButton } from '../button'
import { useTopModal } from '../dialog/modal-stack'
import { dismissToast, pauseToasts, resumeToasts, getToasts, subscribeToToasts, type Toast } from './toast-store'
import { ErrorText } from './error-text'
import css from './toast.module.css'

export { clearToasts, toast } from './toast-store'

const ToastCard = ({ toast: { id, kind, text } }: { toast: Toast }) => {
  const Icon = kind === 'ok' ? CircleCheck : CircleAlert
  return (
    <div className={css.toast} data-kind={kind}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <div className={css.text}>
        <ErrorText>{text}</ErrorText>
      </div>
      <IconButton icon={X} iconSize={14} size="sm" label="Dismiss" onClick={() => dismissToast(id)} />
    </div>
  )
}

/**
 * The corner with the toasts; render it once. Its two live regions exist before the first toast, as screen readers
 * require. While a modal dialog is open they are inside it, because the rest of the page is inert.
 */
export const Toasts = () => {
  const toasts = useSyncExternalStore(subscribeToToasts, getToasts, getToasts)
  const onBlur = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) resumeToasts()
  }
  // only movement counts as reading, because a toast can appear under a pointer at rest
  const onPointerMove = ({ movementX, movementY }: PointerEvent) => {
    if (movementX !== 0 || movementY !== 0) pauseToasts()
  }
  const modal = useTopModal()
  const corner = (
    <section
      className={css.corner}
      aria-label="Notifications"
      onPointerMove={onPointerMove}
      onPointerLeave={resumeToasts}
      onFocus={pauseToasts}
      onBlur={onBlur}
    >
      <div role="alert" className={css.region}>
        {toasts.map((item) => (item.kind === 'bad' ? <ToastCard key={item.id} toast={item} /> : null))}
      </div>
      <div role="status" aria-live="polite" className={css.region}>
        {toasts.map((item) => (item.kind === 'ok' ? <ToastCard key={item.id} toast={item} /> : null))}
      </div>
    </section>
  )
  return modal ? createPortal(corner, modal) : corner
}
