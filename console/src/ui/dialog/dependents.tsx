import type { LucideIcon } from 'lucide-react'
import { Link } from '../link'
import css from './dependents.module.css'

/** The dependents of one kind. */
export interface DependentGroup {
  icon?: LucideIcon
  /** 'Phone numbers' */
  label: string
  count: number
  /** Dependents with a known name; may be fewer than `count`. */
  links: { label: string; href: string }[]
}

/** The dependents of a record: the number of each kind, with a link to each. */
export const Dependents = ({ groups }: { groups: DependentGroup[] }) => (
  <ul className={css.dependents}>
    {groups.map(({ icon: Icon, label, count, links }) => (
      <li key={label}>
        <span className={css.kind}>
          {Icon ? <Icon size={14} strokeWidth={2} aria-hidden="true" /> : null}
          {label}
          <span className={css.count}>{count}</span>
        </span>
        <ul>
          {links.map((link) => (
            <li key={link.href}>
              <Link href={link.href}>{link.label}</Link>
            </li>
          ))}
          {links.length < count ? <li className={css.more}>{`and ${count - links.length} more`}</li> : null}
        </ul>
      </li>
    ))}
  </ul>
)
