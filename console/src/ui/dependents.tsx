import type { LucideIcon } from 'lucide-react'
import { Link } from './link'
import css from './dependents.module.css'

/** The dependents of one kind. */
export interface DependentGroup {
  icon?: LucideIcon
  /** 'Phone numbers' */
  label: string
  count: number
  /** Dependents with a known name; may be fewer than `count`. */
  links: { label: string; href: string }[]
  /** The list of all. */
  href?: string
  /** Shows the names in monospace. */
  mono?: boolean
}

const MoreDependents = ({ count, href }: { count: number; href?: string }) => {
  const text = `and ${count.toLocaleString('en-US')} more`
  return href ? <Link href={href}>{text}</Link> : text
}

/** The dependents of a record: the number of each kind, with a link to each. */
export const Dependents = ({ groups }: { groups: DependentGroup[] }) => (
  <ul className={css.dependents}>
    {groups.map(({ icon: Icon, label, count, links, href, mono }) => (
      <li key={label}>
        <span className={css.kind}>
          {Icon ? <Icon size={14} strokeWidth={2} aria-hidden="true" /> : null}
          {href ? (
            <Link href={href} muted>
              {label}
            </Link>
          ) : (
            label
          )}
          <span className={css.count}>{count.toLocaleString('en-US')}</span>
        </span>
        <ul>
          {links.map((link) => (
            <li key={link.href} data-mono={mono || undefined}>
              <Link href={link.href}>{link.label}</Link>
            </li>
          ))}
          {links.length < count ? (
            <li className={css.more}>
              <MoreDependents count={count - links.length} {...(href ? { href } : {})} />
            </li>
          ) : null}
        </ul>
      </li>
    ))}
  </ul>
)

/** The same in a box, for a dialog. */
export const BoxedDependents = (props: { groups: DependentGroup[] }) => (
  <div className={css.box}>
    <Dependents {...props} />
  </div>
)
