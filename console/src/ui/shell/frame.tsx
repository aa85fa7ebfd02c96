import { LogOut, Menu, PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { Button, IconButton } from '../button'
import css from './frame.module.css'
import { commandKey, KeyCaps } from '../key-caps'
import { lazyComponent } from '../feedback/lazy-component'
import { Sidebar, type NavGroup } from './sidebar'
import { ThemeSwitch } from './theme-switch'
import { Breadcrumbs, type Breadcrumb } from './breadcrumbs'
import { UserLinks, UserMenu, type User } from './user-menu'

/** Loaded when it first opens, together with the focus trap. */
const NavDrawer = lazyComponent(() => import('./nav-drawer').then((it) => it.NavDrawer))

export type { NavGroup, NavItem } from './sidebar'
export type { Breadcrumb } from './breadcrumbs'

export interface FrameProps {
  /** A ProviderSwitcher. */
  provider: ReactNode
  items: NavGroup[]
  trail: Breadcrumb[]
  /** Opens the command palette; the caller also handles Ctrl+K. */
  onSearch: () => void
  /** Shows the keyboard shortcuts; the caller also handles the question mark. */
  onShortcuts: () => void
  user: User
  onSignOut: () => void
  /** Shows the sidebar as icons; the caller stores the setting. */
  collapsed: boolean
  onCollapse: (collapsed: boolean) => void
  /** URL of the logo. */
  home?: string
  /** A line above the page, such as 'You are offline'. */
  notice?: ReactNode
  children: ReactNode
}

/** Sidebar, header and main element. Below 768 px the sidebar is a drawer. */
export const Frame = (props: FrameProps) => {
  const {
    provider,
    items,
    trail,
    onSearch,
    onShortcuts,
    user,
    onSignOut,
    collapsed,
    onCollapse,
    home = '/',
    notice,
    children,
  } = props
  const [drawer, setDrawer] = useState<boolean>()
  const Panel = collapsed ? PanelLeftOpen : PanelLeftClose
  return (
    <div className={css.frame} data-collapsed={collapsed || undefined}>
      <a className={css.skip} href="#main">
        Skip to content
      </a>
      <aside className={css.side} aria-label="Sidebar">
        <Sidebar
          provider={provider}
          items={items}
          home={home}
          icons={collapsed}
          footer={
            <button
              type="button"
              className={css.collapse}
              aria-expanded={!collapsed}
              title={collapsed ? 'Expand' : undefined}
              onClick={() => onCollapse(!collapsed)}
            >
              <Panel size={16} strokeWidth={1.75} aria-hidden="true" />
              <span>{collapsed ? 'Expand' : 'Collapse'}</span>
            </button>
          }
        />
      </aside>
      <header className={css.top}>
        <span className={css.narrow}>
          <IconButton
            icon={Menu}
            iconSize={20}
            label="Open menu"
            aria-haspopup="dialog"
            aria-expanded={drawer ?? false}
            onClick={() => setDrawer(true)}
          />
        </span>
        <Breadcrumbs steps={trail} />
        <button type="button" className={css.search} aria-keyshortcuts="Control+K Meta+K" onClick={onSearch}>
          <Search size={16} strokeWidth={1.75} aria-hidden="true" />
          <span className={css.words}>Search or jump to</span>
          <span className={css.keys} aria-hidden="true">
            <KeyCaps keys={[commandKey, 'K']} />
          </span>
        </button>
        <span className={css.narrow}>
          <IconButton icon={Search} iconSize={20} label="Search or jump to" onClick={onSearch} />
        </span>
        <div className={css.wide}>
          <UserMenu user={user} onShortcuts={onShortcuts} />
          <Button variant="borderless" size="sm" icon={LogOut} onClick={onSignOut}>
            Sign out
          </Button>
        </div>
      </header>
      <main id="main" tabIndex={-1} className={css.main}>
        {notice ? <div className={css.notice}>{notice}</div> : null}
        {children}
      </main>
      {drawer === undefined ? null : (
        <Suspense>
          <NavDrawer opened={drawer} onClose={() => setDrawer(false)}>
            <Sidebar
              provider={provider}
              items={items}
              home={home}
              footer={
                <div className={css.drawerFoot}>
                  <p className={css.user}>
                    <b>{user.name}</b>
                    {user.scope}
                  </p>
                  <UserLinks href={user.href} />
                  <span className={css.drawerRow}>
                    <ThemeSwitch />
                    <Button icon={LogOut} block onClick={onSignOut}>
                      Sign out
                    </Button>
                  </span>
                </div>
              }
            />
          </NavDrawer>
        </Suspense>
      )}
    </div>
  )
}
