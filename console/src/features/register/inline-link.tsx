import css from './inline-link.module.css'

interface InlineLinkProps {
  /** Null: this installation has no such screen. */
  href: string | null
  /** In an error message: the link has its color, and replaces the screen. */
  inError?: boolean
  children: string
}

/** An underlined link within a text; opens in a new tab, so that the user's input remains. */
export const InlineLink = ({ href, inError, children }: InlineLinkProps) =>
  href === null ? (
    children
  ) : (
    <a
      className={css.link}
      href={href}
      data-in-error={inError || undefined}
      {...(inError ? {} : { target: '_blank', rel: 'noreferrer' })}
    >
      {children}
    </a>
  )
