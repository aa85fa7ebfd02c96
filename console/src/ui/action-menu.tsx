import type { LucideIcon } from 'lucide-react'
import { Ellipsis } from 'lucide-react'
import { useId, useRef, type MouseEvent, type ToggleEvent } from 'react'
import css from './action-menu.module.css'
import { IconButton } from './button'

export interface MenuAction {
  label: string
  icon: LucideIcon
  /** A link; otherwise `onSelect` is called. */
  href?: string
  onSelect?: () => void
}

const gapPx = 4

/** Closes the menu after a choice. */
const closeOnChoice = ({ currentTarget, target }: MouseEvent<HTMLElement>) => {
  if ((target as Element).closest('a, button')) currentTarget.hidePopover?.()
}

/** A button with an ellipsis that opens a menu of further actions. */
export const ActionMenu = ({ label, actions }: { label: string; actions: readonly MenuAction[] }) => {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  if (actions.length === 0) return null
  const placeMenu = ({ newState, currentTarget }: ToggleEvent<HTMLElement>) => {
    const box = anchor.current?.getBoundingClientRect()
    if (newState !== 'open' || !box) return
    currentTarget.style.top = `${box.bottom + gapPx}px`
    currentTarget.style.right = `${document.documentElement.clientWidth - box.right}px`
  }
  return (
    <span ref={anchor} className={css.anchor}>
      <IconButton icon={Ellipsis} label={label} popoverTarget={id} aria-haspopup="true" />
      {/* the links and buttons inside handle the keyboard */}
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div id={id} popover="auto" className={css.menu} onBeforeToggle={placeMenu} onClick={closeOnChoice}>
        {actions.map(({ label: text, icon: Icon, href, onSelect }) => {
          const content = (
            <>
              <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
              {text}
            </>
          )
          return href ? (
            <a key={text} href={href}>
              {content}
            </a>
          ) : (
            <button key={text} type="button" onClick={onSelect}>
              {content}
            </button>
          )
        })}
      </div>
    </span>
  )
}
