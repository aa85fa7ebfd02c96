import { LogOut, Menu, PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { Button, IconButton } from '../button'
import css from './frame.module.css'
import { commandKey, KeyCaps } from '../key-caps'
import { lazyComponent } from '../feedback/lazy-component'
import { Sidebar, type NavGroup } from './sidebar'
import { ThemeSwitch } from './theme-switch'
import { Breadcrumbs, type Breadcrumb } from './breadcrumbs'
import { UserLinks, UserMenu, type User, type UserMenuProps } from './user-menu'

/** Loaded when it first opens, together with the focus trap. */
const NavDrawer = lazyComponent(() => import('./nav-drawer').then((module) => module.NavDrawer))

export type { NavGroup, NavItem } from './sidebar'
export type { Breadcrumb } from './breadcrumbs'

export interface FrameProps {
  /** A ProviderSwitcher. */
  provider: ReactNode
  navGroups: NavGroup[]
  breadcrumbs: Breadcrumb[]
  /** Opens the command palette; the caller also handles Ctrl+K. */
  onSearch: () => void
  /** Shows the keyboard shortcuts; the caller also handles the question mark. */
  onShortcuts: () => void
  user: User
  settings: UserMenuProps['settings']
  onSignOut: () => void
  /** Shows the sidebar as icons; the caller stores the setting. */
  collapsed: boolean
  onCollapse: (collapsed: boolean) => void
  /** URL of the logo. */
  home: string
  children: ReactNode
}

const CollapseButton = ({ collapsed, onCollapse }: Pick<FrameProps, 'collapsed' | 'onCollapse'>) => {
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose
  const label = collapsed ? 'Expand' : 'Collapse'
  return (
    <button
      type="button"
      className={css.collapse}
      aria-expanded={!collapsed}
      aria-label={`${label} sidebar`}
      title={collapsed ? `${label} sidebar` : undefined}
      onClick={() => onCollapse(!collapsed)}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <span>{label}</span>
    </button>
  )
}

interface TopBarProps extends Pick<
  FrameProps,
  'breadcrumbs' | 'onSearch' | 'onShortcuts' | 'user' | 'settings' | 'onSignOut'
> {
  isDrawerOpen: boolean
  onOpenDrawer: () => void
}

const TopBar = (props: TopBarProps) => {
  const { breadcrumbs, onSearch, onShortcuts, user, settings, onSignOut, isDrawerOpen, onOpenDrawer } = props
  return (
    <header className={css.topBar}>
      <span className={css.narrowOnly}>
        <IconButton
          icon={Menu}
          iconSize={20}
          label="Open menu"
          aria-haspopup="dialog"
          aria-expanded={isDrawerOpen}
          onClick={onOpenDrawer}
        />
      </span>
      <Breadcrumbs steps={breadcrumbs} />
      <button type="button" className={css.search} aria-keyshortcuts="Control+K Meta+K" onClick={onSearch}>
        <Search size={16} strokeWidth={1.75} aria-hidden="true" />
        <span className={css.searchLabel}>Search or jump to</span>
        <span className={css.keys} aria-hidden="true">
          <KeyCaps keys={[commandKey, 'K']} />
        </span>
      </button>
      <span className={css.narrowOnly}>
        <IconButton icon={Search} iconSize={20} label="Search or jump to" onClick={onSearch} />
      </span>
      <div className={css.wideOnly}>
        <UserMenu user={user} onShortcuts={onShortcuts} settings={settings} />
        <Button variant="borderless" size="sm" icon={LogOut} onClick={onSignOut}>
          Sign out
        </Button>
      </div>
    </header>
  )
}

const DrawerFooter = ({ user, settings, onSignOut }: Pick<FrameProps, 'user' | 'settings' | 'onSignOut'>) => (
  <div className={css.drawerFooter}>
    <p className={css.user}>
      <b>{user.name}</b>
      {user.scope}
    </p>
    <UserLinks href={user.href} />
    {settings}
    <span className={css.drawerRow}>
      <ThemeSwitch />
      <Button icon={LogOut} block onClick={onSignOut}>
        Sign out
      </Button>
    </span>
  </div>
)

/** Sidebar, header and main element. Below 768 px the sidebar is a drawer. */
export const Frame = (props: FrameProps) => {
  const { provider, navGroups, user, settings, onSignOut, collapsed, onCollapse, home, children } = props
  /** Undefined until the drawer first opens. */
  const [isDrawerOpen, setIsDrawerOpen] = useState<boolean>()
  return (
    <div className={css.frame} data-collapsed={collapsed || undefined}>
      <a className={css.skip} href="#main">
        Skip to content
      </a>
      <aside className={css.sidebar} aria-label="Sidebar">
        <Sidebar
          provider={provider}
          navGroups={navGroups}
          home={home}
          iconsOnly={collapsed}
          footer={<CollapseButton collapsed={collapsed} onCollapse={onCollapse} />}
        />
      </aside>
      <TopBar {...props} isDrawerOpen={isDrawerOpen ?? false} onOpenDrawer={() => setIsDrawerOpen(true)} />
      <main id="main" tabIndex={-1} className={css.main}>
        {children}
      </main>
      {isDrawerOpen === undefined ? null : (
        <Suspense>
          <NavDrawer opened={isDrawerOpen} onClose={() => setIsDrawerOpen(false)}>
            <Sidebar
              provider={provider}
              navGroups={navGroups}
              home={home}
              footer={<DrawerFooter user={user} settings={settings} onSignOut={onSignOut} />}
            />
          </NavDrawer>
        </Suspense>
      )}
    </div>
  )
}
