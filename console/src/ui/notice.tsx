import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorText } from './feedback/error-text'
import css from './notice.module.css'

export interface NoticeProps {
  /** 'ok' if all is well, 'warn' for a consequence to consider, 'bad' for a failure. */
  tone: 'ok' | 'warn' | 'bad'
  /** Absent: the notice is one text. */
  title?: string
  /** For a notice that appears after an action: announces it. */
  role?: 'alert' | 'status'
  /** A link or button at the right, or below the text in a narrow window. */
  action?: ReactNode
  children: ReactNode
}

const icons = { ok: CircleCheck, warn: TriangleAlert, bad: CircleAlert } as const

/** A colored box on a screen, for text that must be read before the user continues. */
export const Notice = ({ tone, title, role, action, children }: NoticeProps) => {
  const Icon = icons[tone]
  return (
    <div className={css.notice} data-tone={tone} role={role}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      <div className={css.text}>
        {title ? <strong>{title}</strong> : null}
        <p>{typeof children === 'string' ? <ErrorText>{children}</ErrorText> : children}</p>
      </div>
      {action ? <div className={css.action}>{action}</div> : null}
    </div>
  )
}
