import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import css from './button.module.css'

export interface ButtonLook {
  /** One 'primary' a view; 'danger' destroys; 'quiet' has no edge. */
  look?: 'plain' | 'primary' | 'danger' | 'quiet'
  size?: 'md' | 'sm' | 'lg'
  icon?: LucideIcon
  /** As wide as its place. */
  block?: boolean
}

export interface ButtonProps extends ButtonLook, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  /** Shows that it is at work and takes no second press; it keeps the focus. */
  pending?: boolean
  children: ReactNode
  ref?: Ref<HTMLButtonElement>
}

const lookOf = ({ look = 'plain', size = 'md', block }: ButtonLook) => ({
  className: css.button,
  'data-look': look,
  'data-size': size,
  'data-block': block || undefined,
})

const Glyph = ({ icon: Icon, size }: { icon?: LucideIcon; size?: string }) =>
  Icon ? <Icon size={size === 'sm' ? 14 : 16} strokeWidth={size === 'sm' ? 2 : 1.75} aria-hidden="true" /> : null

/** A button with words. */
export const Button = ({
  look,
  size,
  icon,
  block,
  pending,
  onClick,
  children,
  type = 'button',
  ...rest
}: ButtonProps) => (
  <button
    {...rest}
    {...lookOf({ look, size, block })}
    type={type}
    aria-disabled={pending || rest['aria-disabled']}
    aria-busy={pending || undefined}
    onClick={(event) => (pending ? event.preventDefault() : onClick?.(event))}
  >
    {pending ? <span className={css.busy} aria-hidden="true" /> : <Glyph icon={icon} size={size} />}
    {children}
  </button>
)

export interface ButtonLinkProps extends ButtonLook {
  href: string
  title?: string
  children: ReactNode
  download?: string | boolean
  /** Opens beside the console; for places outside it. */
  outside?: boolean
}

/** A link that looks like a button: it goes somewhere and does nothing else. */
export const ButtonLink = ({ look, size, icon, block, outside, children, ...rest }: ButtonLinkProps) => (
  <a {...rest} {...(outside ? { target: '_blank', rel: 'noreferrer' } : {})} {...lookOf({ look, size, block })}>
    <Glyph icon={icon} size={size} />
    {children}
  </a>
)

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'children'> {
  icon: LucideIcon
  /** The button's name: it has no words of its own. */
  label: string
  size?: 'md' | 'sm'
  glyph?: number
  ref?: Ref<HTMLButtonElement>
}

const strokeFor = (glyph: number) => (glyph <= 12 ? 2.25 : glyph <= 14 ? 2 : glyph >= 20 ? 1.6 : 1.75)

/** A button of one icon, as the actions of a row are. */
export const IconButton = ({
  icon: Icon,
  label,
  size = 'md',
  glyph = 16,
  type = 'button',
  ...rest
}: IconButtonProps) => (
  <button {...rest} type={type} className={css.icon} data-size={size} aria-label={label} title={rest.title ?? label}>
    <Icon size={glyph} strokeWidth={strokeFor(glyph)} aria-hidden="true" />
  </button>
)

export interface IconLinkProps {
  icon: LucideIcon
  label: string
  href: string
  glyph?: number
}

/** A link of one icon: 'Edit Acme' in a row. */
export const IconLink = ({ icon: Icon, label, href, glyph = 16 }: IconLinkProps) => (
  <a href={href} className={css.icon} aria-label={label} title={label}>
    <Icon size={glyph} strokeWidth={strokeFor(glyph)} aria-hidden="true" />
  </a>
)
