import type { LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import css from './button.module.css'

export interface ButtonVariant {
  /** Use at most one 'primary' per view. 'danger' is for destructive actions; 'borderless' has no border. */
  variant?: 'plain' | 'primary' | 'danger' | 'borderless'
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

const getVariantProps = ({ variant = 'plain', size = 'md', block }: ButtonVariant) => ({
  className: css.button,
  'data-variant': variant,
  'data-size': size,
  'data-block': block || undefined,
})

const ButtonIcon = ({ icon: Icon, size }: { icon?: LucideIcon; size?: string }) =>
  Icon ? <Icon size={size === 'sm' ? 14 : 16} strokeWidth={size === 'sm' ? 2 : 1.75} aria-hidden="true" /> : null

/** A button with a text label. */
export const Button = ({
  variant,
  size,
  icon,
  block,
  pending,
  onClick,
  children,
  type = 'button',
  ...attributes
}: ButtonProps) => (
  <button
    {...attributes}
    {...getVariantProps({ variant, size, block })}
    type={type}
    aria-disabled={pending || attributes['aria-disabled']}
    aria-busy={pending || undefined}
    onClick={(event) => (pending ? event.preventDefault() : onClick?.(event))}
  >
    {pending ? <span className={css.spinner} aria-hidden="true" /> : <ButtonIcon icon={icon} size={size} />}
    {children}
  </button>
)

export interface ButtonLinkProps extends ButtonVariant {
  href: string
  title?: string
  /** The key that presses the link. */
  'aria-keyshortcuts'?: string
  children: ReactNode
  /** Opens in a new tab; for links out of the console. */
  isExternal?: boolean
}

/** A link that looks like a button. It only navigates. */
export const ButtonLink = ({ variant, size, icon, block, isExternal, children, ...attributes }: ButtonLinkProps) => (
  <a
    {...attributes}
    {...(isExternal ? { target: '_blank', rel: 'noreferrer' } : {})}
    {...getVariantProps({ variant, size, block })}
  >
    <ButtonIcon icon={icon} size={size} />
    {children}
  </a>
)

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'children'> {
  icon: LucideIcon
  /** Accessible name, because the button has no text. */
  label: string
  size?: 'md' | 'sm'
  iconSize?: number
}

const getStrokeWidth = (iconSize: number) => (iconSize <= 12 ? 2.25 : iconSize <= 14 ? 2 : iconSize >= 20 ? 1.6 : 1.75)

/** An icon-only button, as for the actions of a row. */
export const IconButton = ({
  icon: Icon,
  label,
  size = 'md',
  iconSize = 16,
  type = 'button',
  ...attributes
}: IconButtonProps) => (
  <button
    {...attributes}
    type={type}
    className={css.icon}
    data-size={size}
    aria-label={label}
    title={attributes.title ?? label}
  >
    <Icon size={iconSize} strokeWidth={getStrokeWidth(iconSize)} aria-hidden="true" />
  </button>
)

export interface IconLinkProps {
  icon: LucideIcon
  label: string
  href: string
  /** The key that presses the link. */
  'aria-keyshortcuts'?: string
}

/** An icon-only link: 'Edit Acme' in a row. */
export const IconLink = ({ icon: Icon, label, ...attributes }: IconLinkProps) => (
  <a {...attributes} className={css.icon} aria-label={label} title={label}>
    <Icon size={16} strokeWidth={getStrokeWidth(16)} aria-hidden="true" />
  </a>
)
