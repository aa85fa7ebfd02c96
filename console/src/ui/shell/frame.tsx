import { Menu, PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { IconButton } from '../button'
import css from './frame.module.css'
import { commandKey, KeyCaps } from '../key-caps'
import { lazyComponent } from '../feedback/lazy-component'
import { Sidebar, type NavGroup } from './sidebar'
import { Breadcrumbs, type Breadcrumb } from './breadcrumbs'
import { UserMenu, type UserMenuProps } from './user-menu'

/** Loaded when it first opens, together with the focus trap. */
const NavDrawer = lazyComponent(() => import('./nav-drawer').then((module) => module.NavDrawer))

export type { NavGroup, NavItem } from './sidebar'
export type { Breadcrumb } from './breadcrumbs'

export interface FrameProps extends Pick<UserMenuProps, 'user' | 'onSignOut'> {
  /** A ProviderSwitcher. */
  provider: ReactNode
  navGroups: NavGroup[]
  breadcrumbs: Breadcrumb[]
  /** Opens the command palette; the caller also handles Ctrl+K. */
  onSearch: () => void
  userMenu: UserMenuProps['items']
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

interface TopBarProps extends Pick<FrameProps, 'breadcrumbs' | 'onSearch' | 'user' | 'userMenu' | 'onSignOut'> {
  isDrawerOpen: boolean
  onOpenDrawer: () => void
}

const TopBar = (props: TopBarProps) => {
  const { breadcrumbs, onSearch, user, userMenu, onSignOut, isDrawerOpen, onOpenDrawer } = props
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
      <UserMenu user={user} items={userMenu} onSignOut={onSignOut} />
    </header>
  )
}

/** Sidebar, header and main element. Below 768 px the sidebar is a drawer. */
export const Frame = (props: FrameProps) => {
  const { provider, navGroups, collapsed, onCollapse, home, children } = props
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
            <Sidebar provider={provider} navGroups={navGroups} home={home} />
          </NavDrawer>
        </Suspense>
      )}
    </div>
  )
}
