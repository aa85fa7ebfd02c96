import { ChevronDown } from 'lucide-react'
import { useId, type MouseEvent, type ReactNode } from 'react'
import { KeyCaps } from '../key-caps'
import { Tag } from '../tag'
import { ThemeSwitch } from './theme-switch'
import css from './user-menu.module.css'

export interface User {
  name: string
  /** Absent if it equals the name. */
  scope?: string
  /** URL of the user's profile. */
  href?: string
}

/** Closes the menu after a choice. */
const closeOnChoice = ({ currentTarget, target }: MouseEvent<HTMLElement>) => {
  if ((target as Element).closest('a, button')) currentTarget.hidePopover?.()
}

/** Links that the header and the drawer share. */
export const UserLinks = ({ href }: Pick<User, 'href'>) => (
  <>
    {href ? <a href={href}>Your profile and password</a> : null}
    <a href="/docs/" target="_blank" rel="noreferrer">
      Documentation
    </a>
  </>
)

export interface UserMenuProps {
  user: User
  onShortcuts: () => void
  /** Personal settings, as MenuChecks. */
  settings: ReactNode
}

/** The name of the signed-in user, with a menu of personal links and settings. */
export const UserMenu = ({ user, onShortcuts, settings }: UserMenuProps) => {
  const id = useId()
  return (
    <>
      <button type="button" className={css.user} popoverTarget={id} aria-haspopup="true">
        <b>{user.name}</b>
        {user.scope ? <Tag>{user.scope}</Tag> : null}
        <ChevronDown size={14} strokeWidth={2} aria-hidden="true" />
        <span className="visually-hidden">User menu</span>
      </button>
      {/* the links and buttons inside handle the keyboard */}
      {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div id={id} popover="auto" className={css.menu} onClick={closeOnChoice}>
        <p className={css.name}>
          <b>{user.name}</b>
          {user.scope}
        </p>
        <UserLinks href={user.href} />
        <button type="button" aria-keyshortcuts="?" onClick={onShortcuts}>
          Keyboard shortcuts
          <span aria-hidden="true">
            <KeyCaps keys={['?']} />
          </span>
        </button>
        <div className={css.theme}>
          Theme
          <ThemeSwitch />
        </div>
        {settings}
      </div>
    </>
  )
}
