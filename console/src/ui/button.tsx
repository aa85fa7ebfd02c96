import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import css from './button.module.css'

export interface ButtonVariant {
  /** Use at most one 'primary' per view. 'danger' is for destructive actions; 'quiet' has no border. */
  look?: 'plain' | 'primary' | 'danger' | 'quiet'
  size?: 'md' | 'sm' | 'lg'
  icon?: LucideIcon
  /** Fills the width of its container. */
  block?: boolean
}

export interface ButtonProps extends ButtonVariant, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  /** Shows a spinner and ignores further presses. The button stays enabled so that it keeps the focus. */
  pending?: boolean
  children: ReactNode
  ref?: Ref<HTMLButtonElement>
}

const lookOf = ({ look = 'plain', size = 'md', block }: ButtonVariant) => ({
  className: css.button,
  'data-look': look,
  'data-size': size,
  'data-block': block || undefined,
})

const Glyph = ({ icon: Icon, size }: { icon?: LucideIcon; size?: string }) =>
  Icon ? <Icon size={size === 'sm' ? 14 : 16} strokeWidth={size === 'sm' ? 2 : 1.75} aria-hidden="true" /> : null

/** A button with a text label. */
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

export interface ButtonLinkProps extends ButtonVariant {
  href: string
  title?: string
  children: ReactNode
  download?: string | boolean
  /** Opens in a new tab; for links out of the console. */
  outside?: boolean
}

/** A link that looks like a button. It only navigates. */
export const ButtonLink = ({ look, size, icon, block, outside, children, ...rest }: ButtonLinkProps) => (
  <a {...rest} {...(outside ? { target: '_blank', rel: 'noreferrer' } : {})} {...lookOf({ look, size, block })}>
    <Glyph icon={icon} size={size} />
    {children}
  </a>
)

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'children'> {
  icon: LucideIcon
  /** Accessible name, because the button has no text. */
  label: string
  size?: 'md' | 'sm'
  glyph?: number
  ref?: Ref<HTMLButtonElement>
}

const strokeFor = (glyph: number) => (glyph <= 12 ? 2.25 : glyph <= 14 ? 2 : glyph >= 20 ? 1.6 : 1.75)

/** An icon-only button, as for the actions of a row. */
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

/** An icon-only link: 'Edit Acme' in a row. */
export const IconLink = ({ icon: Icon, label, href, glyph = 16 }: IconLinkProps) => (
  <a href={href} className={css.icon} aria-label={label} title={label}>
    <Icon size={glyph} strokeWidth={strokeFor(glyph)} aria-hidden="true" />
  </a>
)
