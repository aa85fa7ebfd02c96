import type { HealthCheck, HealthFinding } from '@trunkline/contract/shapes/system-health'
import { Wrench } from 'lucide-react'
import { formatShortTimestamp } from '../../lib/call-times'
import { Status, type StatusKind } from '../../ui/status'
import css from './check-row.module.css'

const statuses: Record<HealthFinding['status'], { kind: StatusKind; label: string }> = {
  passed: { kind: 'ok', label: 'Passed' },
  warning: { kind: 'warn', label: 'Warning' },
  failed: { kind: 'bad', label: 'Failed' },
}

const FindingItem = ({ finding: { status, summary, repair } }: { finding: HealthFinding }) => (
  <li className={css.finding} data-status={status}>
    <p>{summary}</p>
    {repair ? (
      <p className={css.repair}>
        <Wrench size={14} strokeWidth={1.75} aria-hidden="true" />
        <span>
          <span className="visually-hidden">How to repair it: </span>
          {repair}
        </span>
      </p>
    ) : null}
  </li>
)

export interface CheckRowProps {
  check: HealthCheck
  /** When the server last checked everything. A check that it repeats less often shows its own time. */
  checkedAt: string
}

/** A check: its name, its status, what it found, and how to repair it. */
export const CheckRow = ({ check, checkedAt }: CheckRowProps) => {
  const { kind, label } = statuses[check.status]
  const isOlder = Date.parse(checkedAt) - Date.parse(check.checked_at) >= 60_000
  return (
    <li className={css.row}>
      <h3 className={css.name}>{check.name}</h3>
      <span className={css.status}>
        <Status kind={kind}>{label}</Status>
      </span>
      <div className={css.findings}>
        <ul>
          {check.findings.map((finding) => (
            <FindingItem key={finding.summary} finding={finding} />
          ))}
        </ul>
        {isOlder ? <p className={css.time}>Checked {formatShortTimestamp(check.checked_at)}</p> : null}
      </div>
    </li>
  )
}
