import { CircleAlert, CircleCheck, CircleMinus, CircleX, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './status.module.css'

export type StatusKind = 'ok' | 'warn' | 'bad' | 'off'

const icons: Record<StatusKind, LucideIcon> = { ok: CircleCheck, warn: CircleAlert, bad: CircleX, off: CircleMinus }

export interface StatusProps {
  kind: StatusKind
  /** The word beside the icon. */
  children: ReactNode
  icon?: LucideIcon
  /** More about it, under the pointer. */
  title?: string
  /** Healthy is quiet, trouble is tinted: by default everything but 'ok' has a tint. */
  tint?: boolean
}

/** A state as an icon and a word, never as colour alone. */
export const Status = ({ kind, children, icon, title, tint = kind !== 'ok' }: StatusProps) => {
  const Icon = icon ?? icons[kind]
  return (
    <span className={css.status} title={title} data-kind={kind} data-tint={tint || undefined}>
      <Icon size={tint ? 13 : 14} strokeWidth={2} aria-hidden="true" />
      {children}
    </span>
  )
}
