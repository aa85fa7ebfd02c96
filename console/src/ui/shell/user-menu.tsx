import { LogOut } from 'lucide-react'
import { Suspense, useId, useState, type MouseEvent, type ReactNode } from 'react'
import { Button } from '../button'
import { getInitials } from '../monogram'
import { useMaxWidth } from './use-window-width'
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

/**
 * The signed-in user, with the menu of everything personal. A narrow window shows only the avatar, and has Sign out in the
 * menu. Sign out works without further code.
 */
export const UserMenu = ({ user, items, onSignOut }: UserMenuProps) => {
  const id = useId()
  const [hasOpened, setHasOpened] = useState(false)
  const isNarrow = useMaxWidth(1100)
  return (
    <>
      <button
        type="button"
        className={css.user}
        popoverTarget={id}
        aria-haspopup="dialog"
        title={user.name}
        onClick={() => setHasOpened(true)}
      >
        <span className={css.avatar} aria-hidden="true">
          {getInitials(user.name)}
        </span>
        {isNarrow ? null : (
          <span className={css.names} aria-hidden="true">
            <b>{user.name}</b>
            {user.scope ? <span className={css.scopeName}>{user.scope}</span> : null}
          </span>
        )}
        <span className="visually-hidden">{[user.name, user.scope, 'User menu'].filter(Boolean).join(' ')}</span>
      </button>
      {/* the links and buttons inside handle the keyboard */}
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */}
      <div id={id} popover="auto" role="dialog" aria-label="User menu" className={css.menu} onClick={closeOnChoice}>
        {hasOpened ? <Suspense>{items}</Suspense> : null}
        {isNarrow ? (
          <>
            <hr />
            <button type="button" className={css.item} onClick={onSignOut}>
              <LogOut size={16} strokeWidth={1.75} aria-hidden="true" />
              Sign out
            </button>
          </>
        ) : null}
      </div>
      {isNarrow ? null : (
        <Button variant="borderless" size="sm" icon={LogOut} onClick={onSignOut}>
          Sign out
        </Button>
      )}
    </>
  )
}
