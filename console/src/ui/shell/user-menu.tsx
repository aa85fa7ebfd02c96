import { LogOut } from 'lucide-react'
import { Suspense, useId, useState, type MouseEvent, type ReactNode } from 'react'
import { getInitials } from '../monogram'
import css from './user-menu.module.css'

export interface User {
  name: string
  /** Absent if it equals the name. */
  scope?: string
}

/** Closes the menu after a choice. */
const closeOnChoice = ({ currentTarget, target }: MouseEvent<HTMLElement>) => {
  if ((target as Element).closest('a, button')) currentTarget.hidePopover?.()
}

export interface UserMenuProps {
  user: User
  /** The UserMenuItems. Rendered when the menu first opens. */
  items: ReactNode
  onSignOut: () => void
}

/** The avatar of the signed-in user, with the menu of everything personal. Sign out works without further code. */
export const UserMenu = ({ user, items, onSignOut }: UserMenuProps) => {
  const id = useId()
  const [hasOpened, setHasOpened] = useState(false)
  return (
    <>
      <button
        type="button"
        className={css.avatar}
        popoverTarget={id}
        aria-haspopup="dialog"
        title={user.name}
        onClick={() => setHasOpened(true)}
      >
        <span aria-hidden="true">{getInitials(user.name)}</span>
        <span className="visually-hidden">{[user.name, user.scope, 'User menu'].filter(Boolean).join(' ')}</span>
      </button>
      {/* the links and buttons inside handle the keyboard */}
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <div id={id} popover="auto" role="dialog" aria-label="User menu" className={css.menu} onClick={closeOnChoice}>
        {hasOpened ? <Suspense>{items}</Suspense> : null}
        <button type="button" className={css.item} onClick={onSignOut}>
          <LogOut size={16} strokeWidth={1.75} aria-hidden="true" />
          Sign out
        </button>
      </div>
    </>
  )
}
