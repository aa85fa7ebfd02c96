import { CircleAlert, CircleCheck, CircleMinus, CircleX, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './status.module.css'

export type StatusKind = 'ok' | 'warn' | 'bad' | 'off'

const icons: Record<StatusKind, LucideIcon> = { ok: CircleCheck, warn: CircleAlert, bad: CircleX, off: CircleMinus }

export interface StatusProps {
  kind: StatusKind
  /** Label beside the icon. */
  children: ReactNode
  icon?: LucideIcon
  /** Tooltip with details. */
  title?: string
  /** Gives the status a background tint; by default for all kinds but 'ok', so that only problems stand out. */
  tint?: boolean
}

/** A status as an icon and a label, never as colour alone. */
export const Status = ({ kind, children, icon, title, tint = kind !== 'ok' }: StatusProps) => {
  const Icon = icon ?? icons[kind]
  return (
    <span className={css.status} title={title} data-kind={kind} data-tint={tint || undefined}>
      <Icon size={tint ? 13 : 14} strokeWidth={2} aria-hidden="true" />
      {children}
    </span>
  )
}

/** Whether a record is in use. */
export const ActiveStatus = ({ isActive }: { isActive: unknown }) => (
  <Status kind={isActive ? 'ok' : 'off'}>{isActive ? 'Active' : 'Inactive'}</Status>
)
