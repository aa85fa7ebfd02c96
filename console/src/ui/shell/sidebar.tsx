import { CircleAlert, type LucideIcon } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { Brand } from './brand'
import css from './sidebar.module.css'

export interface NavItem {
  label: string
  href: string
  icon: LucideIcon
  current?: boolean
  /** A count that needs attention, shown as '9+' from ten on: { count: 3, label: 'new' }. */
  badge?: { count: number; label: string; note?: string }
}

export interface NavGroup {
  /** Absent for the first group. */
  label?: string
  items: NavItem[]
}

const NavLink = ({ item: { label, href, icon: Icon, current, badge }, icons }: { item: NavItem; icons?: boolean }) => (
  <a className={css.item} href={href} aria-current={current ? 'page' : undefined} title={icons ? label : undefined}>
    <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
    <span className={css.label}>{label}</span>
    {badge && badge.count > 0 ? (
      <span className={css.badge} title={badge.note}>
        <CircleAlert size={12} strokeWidth={2.25} aria-hidden="true" />
        <span className={css.number}>{badge.count > 9 ? '9+' : badge.count}</span>
        <span className="visually-hidden"> {badge.label}</span>
      </span>
    ) : null}
  </a>
)

const NavSection = ({ group, icons }: { group: NavGroup; icons?: boolean }) => {
  const id = useId()
  return (
    <>
      {group.label ? (
        <h2 id={id} className={css.group}>
          <span>{group.label}</span>
        </h2>
      ) : null}
      <ul aria-labelledby={group.label ? id : undefined}>
        {group.items.map((item) => (
          <li key={item.href}>
            <NavLink item={item} icons={icons} />
          </li>
        ))}
      </ul>
    </>
  )
}

export interface SidebarProps {
  provider: ReactNode
  navGroups: NavGroup[]
  /** Shows only the icons. */
  iconsOnly?: boolean
  home: string
  footer?: ReactNode
}

/** Logo, provider, navigation and footer: in the left column and in the drawer. */
export const Sidebar = ({ provider, navGroups, iconsOnly, home, footer }: SidebarProps) => (
  <div className={css.sidebar} data-icons={iconsOnly || undefined}>
    <a className={css.brand} href={home} aria-label="Trunkline, start screen">
      <Brand />
    </a>
    {provider}
    <nav aria-label="Main" className={css.nav}>
      {navGroups.map((group, index) => (
        <NavSection key={group.label ?? index} group={group} icons={iconsOnly} />
      ))}
    </nav>
    {footer ? <div className={css.footer}>{footer}</div> : null}
  </div>
)
