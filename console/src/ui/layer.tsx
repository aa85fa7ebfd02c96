import { useFocusTrap } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import css from './layer.module.css'

export interface LayerProps {
  onClose: () => void
  /** Closed by nothing but its own buttons. */
  locked?: boolean
  role?: 'dialog' | 'alertdialog'
  /** Its name: the id of its heading, or words. */
  labelledBy?: string
  describedBy?: string
  label?: string
  className?: string
  /** Gets the focus when the layer closes; what has it now unless said. */
  returnFocusTo?: Element | null
  children: ReactNode
}

/** Escape belongs to an open list first: it says so with this attribute. */
const takenByList = (target: EventTarget | null) =>
  target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true'

/** Gives the focus back to what had it; if that is gone, as a deleted row is, to the page. */
const useFocusBack = (returnFocusTo: Element | null | undefined) => {
  const [before] = useState(() => returnFocusTo ?? document.activeElement)
  useEffect(
    () => () => {
      const back = before instanceof HTMLElement && before !== document.body ? before : undefined
      // after the layer has left the page, and unless the focus has been sent elsewhere meanwhile
      setTimeout(() => {
        if (document.activeElement && document.activeElement !== document.body) return
        if (back?.isConnected) back.focus({ preventScroll: true })
        else document.getElementById('main')?.focus({ preventScroll: true })
      })
    },
    [before],
  )
}

/**
 * Closes the layer with Escape. A layout effect, because a layer that replaces another one is on screen before other
 * effects run: Escape would still go to the former one, which may be locked.
 */
const useEscape = (onClose: () => void, locked: boolean | undefined) => {
  useLayoutEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || locked || takenByList(event.target)) return
      event.stopPropagation()
      onClose()
    }
    window.addEventListener('keydown', close, true)
    return () => window.removeEventListener('keydown', close, true)
  }, [onClose, locked])
}

/**
 * What lies over the page: dims it, keeps the focus inside, and gives it back. The page behind has no scroll of its
 * own, so nothing is locked; and the layer adds no style sheet at run time, which the content policy would refuse.
 */
const Open = ({
  onClose,
  locked,
  role = 'dialog',
  labelledBy,
  describedBy,
  label,
  className,
  returnFocusTo,
  children,
}: LayerProps) => {
  const trap = useFocusTrap(true)
  useFocusBack(returnFocusTo)
  useEscape(onClose, locked)
  return createPortal(
    <div className={css.layer}>
      <div className={css.scrim} aria-hidden="true" onMouseDown={locked ? undefined : onClose} />
      <section
        ref={trap}
        role={role}
        aria-modal="true"
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-label={label}
        tabIndex={-1}
        className={className}
      >
        {children}
      </section>
    </div>,
    document.body,
  )
}

export const Layer = ({ opened, ...props }: LayerProps & { opened: boolean }) => (opened ? <Open {...props} /> : null)
