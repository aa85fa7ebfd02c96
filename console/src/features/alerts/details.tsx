import type { ReactNode } from 'react'
import { RecordName } from '../../kit/record/record-name'
import { formatTimestampMs } from '../../lib/call-times'
import { formatAlertType } from '../../panels/alerts/alert-type'
import type { AlertRow } from '../../panels/alerts/alert-source'
import { useActor } from '../../session/session'
import { KeyValues } from '../../ui/form/box'
import { CopyText } from '../../ui/copy'
import { Link } from '../../ui/link'
import { createPeriodPath, createTargetCallPath } from './alert-links'
import css from './details.module.css'

/** In maps, because an alert can have fields of any name, such as 'constructor'. */
const fieldLabels = new Map(
  Object.entries({
    time: 'Time',
    message: 'Message',
    detail: 'Detail',
    alert_type: 'Type',
    account_sid: 'Account',
    vendor: 'Vendor',
    target_sid: 'Call or record SID',
  }),
)

/** Fields that repeat another field, mean nothing to a user, or belong to a group of alerts. */
const hiddenFields = new Set(['account_name', 'service_provider_sid', 'accounts', 'first', 'count', 'history'])

/** Fields with their own format. */
const fieldRenderers = new Map<string, (row: AlertRow) => ReactNode>(
  Object.entries({
    time: ({ time }) => <span title={time}>{formatTimestampMs(time) || time}</span>,
    alert_type: ({ alert_type }) => <span title={alert_type ?? ''}>{formatAlertType(alert_type)}</span>,
    account_sid: (row) => <RecordName kind="account" row={row} link />,
  }),
)

const renderValue = (row: AlertRow, field: string, value: unknown): ReactNode => {
  const renderField = fieldRenderers.get(field)
  if (renderField) return renderField(row)
  if (typeof value !== 'string') return JSON.stringify(value)
  return field.endsWith('_sid') ? <CopyText text={value} alwaysShowCopyButton /> : value
}

/** All fields of an alert. */
export const AlertFields = ({ row }: { row: AlertRow }) => (
  <div className={css.fields}>
    <KeyValues
      items={Object.entries(row)
        .filter(([field, value]) => !hiddenFields.has(field) && value !== null && value !== undefined)
        .map(([field, value]) => ({
          label: fieldLabels.get(field) ?? field,
          value: renderValue(row, field, value),
          mono: field === 'time' || !fieldLabels.has(field),
        }))}
    />
  </div>
)

/** The details of an alert, with links to the calls that it may be about. */
export const AlertDetails = ({ row }: { row: AlertRow }) => {
  const isAccountUser = useActor().scope === 'account'
  const callPath = createTargetCallPath(row)
  const periodPath = createPeriodPath(row.time, row.time, isAccountUser ? '' : (row.account_sid ?? ''))
  return (
    <div className={css.details}>
      <AlertFields row={row} />
      <p className={css.links}>
        {callPath ? <Link href={callPath}>Search calls for this SID</Link> : null}
        {periodPath ? <Link href={periodPath}>Calls at that time</Link> : null}
      </p>
    </div>
  )
}
