import { BookOpen, Keyboard, Shield, UserRound, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { KeyCaps } from '../key-caps'
import { getInitials } from '../monogram'
import { ThemeSwitch } from './theme-switch'
import css from './user-menu.module.css'

const MenuIcon = ({ icon: Icon }: { icon: LucideIcon }) => <Icon size={16} strokeWidth={1.75} aria-hidden="true" />

export interface UserMenuCheckProps {
  icon: LucideIcon
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}

/** A setting in the user menu that is on or off. */
export const UserMenuCheck = ({ icon, label, checked, onChange }: UserMenuCheckProps) => (
  <label className={css.item}>
    <input
      type="checkbox"
      aria-label={label}
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    <MenuIcon icon={icon} />
    {label}
    <span className={css.end} aria-hidden="true">
      {checked ? 'On' : 'Off'}
    </span>
  </label>
)

export interface UserMenuItemsProps {
  name: string
  email?: string | undefined
  /** What the user may see: 'Service provider'. */
  scope: string
  /** Name of the provider or account that the user belongs to. */
  owner?: string | undefined
  /** URL of the user's profile. */
  profile?: string | undefined
  /** Personal settings, as UserMenuChecks. */
  settings: ReactNode
  onShortcuts: () => void
}

/** Who is signed in, the personal settings, and the links of the user menu. */
export const UserMenuItems = (props: UserMenuItemsProps) => {
  const { name, email, scope, owner, profile, settings, onShortcuts } = props
  return (
    <>
      <div className={css.identity}>
        <span className={css.initials} aria-hidden="true">
          {getInitials(name)}
        </span>
        <div>
          <b>{name}</b>
          {email ? <span>{email}</span> : null}
        </div>
      </div>
      <div className={css.scope}>
        <Shield size={14} strokeWidth={2} aria-hidden="true" />
        <div>
          <b>{scope}</b>
          {owner ? <span>{owner}</span> : null}
        </div>
      </div>
      <div className={css.theme}>
        Theme
        <ThemeSwitch />
      </div>
      {settings}
      <button type="button" className={css.item} aria-keyshortcuts="?" onClick={onShortcuts}>
        <MenuIcon icon={Keyboard} />
        Keyboard shortcuts
        <span className={css.end} aria-hidden="true">
          <KeyCaps keys={['?']} />
        </span>
      </button>
      <hr />
      {profile ? (
        <a className={css.item} href={profile}>
          <MenuIcon icon={UserRound} />
          Profile and password
        </a>
      ) : null}
      <a className={css.item} href="/docs/" target="_blank" rel="noreferrer">
        <MenuIcon icon={BookOpen} />
        Documentation
      </a>
    </>
  )
}
