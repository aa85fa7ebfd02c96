import { useEffect, useLayoutEffect, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { addModal } from './modal-stack'
import css from './layer.module.css'

export interface LayerProps {
  onClose: () => void
  /** Only its own buttons close it. */
  locked?: boolean
  role?: 'dialog' | 'alertdialog'
  /** The id of its heading; or `label`. */
  labelledBy?: string
  describedBy?: string
  label?: string
  className?: string
  /** The element that gets the focus when the dialog closes; by default the one that has it now. */
  returnFocusTo?: Element | null
  children: ReactNode
}

/** Returns the focus on close; to the page if the element is gone, as a deleted row is. */
const useFocusReturn = (returnFocusTo: Element | null | undefined) => {
  const [previous] = useState(() => returnFocusTo ?? document.activeElement)
  useEffect(
    () => () => {
      const target = previous instanceof HTMLElement && previous !== document.body ? previous : undefined
      // after the dialog has left the page, and unless something else has taken the focus meanwhile
      setTimeout(() => {
        if (document.activeElement && document.activeElement !== document.body) return
        if (target?.isConnected) target.focus({ preventScroll: true })
        else document.getElementById('main')?.focus({ preventScroll: true })
      })
    },
    [previous],
  )
}

/** An open list of options closes first. */
const isInOpenList = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[data-list-open]') !== null

const isOutside = ({ clientX, clientY, currentTarget }: MouseEvent) => {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

/**
 * A modal window on the platform's dialog element, which brings the top layer, the backdrop and an inert page behind it.
 * Escape is handled as a key, not as the dialog's own cancel, so that an open list inside can take it first.
 */
const OpenLayer = (props: LayerProps) => {
  const { onClose, locked, role = 'dialog', labelledBy, describedBy, label, className, returnFocusTo, children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  useFocusReturn(returnFocusTo)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    const focused = element.contains(document.activeElement) ? document.activeElement : undefined
    element.showModal()
    const first = focused ?? element.querySelector('[data-autofocus]')
    if (first instanceof HTMLElement) first.focus()
    const removeModal = addModal(element)
    return () => {
      removeModal()
      element.close()
    }
  }, [])
  // On the window, because while one dialog replaces another the focus may be in neither; in the capture phase, because
  // React passes the event to the parents of a portal, where Escape has other meanings. A layout effect, because a dialog
  // that replaces another one is on screen before other effects run.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || isInOpenList(event.target)) return
      event.preventDefault()
      event.stopPropagation()
      if (!locked) onClose()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [locked, onClose])
  return createPortal(
    // the backdrop is part of the element: a click on it closes, and Escape does the same for the keyboard
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      role={role}
      aria-modal="true"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      aria-label={label}
      tabIndex={-1}
      className={className ? `${css.layer} ${className}` : css.layer}
      onCancel={(event) => event.preventDefault()}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget && isOutside(event) && !locked) onClose()
      }}
    >
      {children}
    </dialog>,
    document.body,
  )
}

export const Layer = ({ opened, ...props }: LayerProps & { opened: boolean }) =>
  opened ? <OpenLayer {...props} /> : null
