import type { LucideIcon } from 'lucide-react'
import { Button } from './button'
import { Dialog } from './dialog'
import css from './in-use-dialog.module.css'
import { Link } from './link'

export interface InUseGroup {
  icon?: LucideIcon
  /** 'Phone numbers' */
  label: string
  count: number
  /** Those that are known by name; may be fewer than the count. */
  links: { label: string; href: string }[]
}

export interface InUseDialogProps {
  opened: boolean
  /** The record that can't be deleted. */
  name: string
  groups: InUseGroup[]
  /** The server's own sentence, if it says more. */
  message?: string
  onClose: () => void
}

/** Why a record can't be deleted: what uses it, each a link. */
export const InUseDialog = ({
  opened,
  name,
  groups,
  message = 'It is in use. Remove or move these first.',
  onClose,
}: InUseDialogProps) => (
  <Dialog
    opened={opened}
    onClose={onClose}
    title={`${name} can't be deleted`}
    role="alertdialog"
    foot={
      <Button onClick={onClose} data-autofocus>
        Close
      </Button>
    }
  >
    <p>{message}</p>
    <ul className={css.uses}>
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
  </Dialog>
)
