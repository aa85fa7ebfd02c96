import type { Alert } from '@trunkline/contract/shapes/recent-call'
import { NameOf } from '../../kit/name-of'
import type { Look } from '../../kit/paging'
import { TimedList, type EventColumn } from '../../kit/timed-list'
import { alertDates, sayMoment } from '../../lib/call-times'
import { useProviderSid } from '../../session/provider'
import { useActor } from '../../session/session'
import { KeyValues } from '../../ui/box'
import { CopyText } from '../../ui/copy'
import css from './list.module.css'
import { alertsBelow } from './source'

/** Whose it is. Below a provider not every server says so, and that is not nobody's. */
const accountOf = (row: Alert, link?: boolean) =>
  'account_sid' in row ? <NameOf kind="account" row={row} link={link} /> : null

const columnsOf = (oneAccount: boolean): EventColumn<Alert>[] => [
  { id: 'time', head: 'Time', width: 206, mono: true, usual: true, cell: ({ time }) => sayMoment(time) },
  { id: 'message', head: 'Message', usual: true, cell: ({ message }) => message },
  { id: 'alert_type', head: 'Type', width: 132, usual: true, cell: ({ alert_type }) => alert_type },
  ...(oneAccount
    ? []
    : [
        {
          id: 'account_sid',
          head: 'Account',
          width: '16%',
          usual: true,
          cell: (row: Alert) => accountOf(row, true),
        },
      ]),
  { id: 'vendor', head: 'Vendor', width: 120, cell: ({ vendor }) => vendor },
  { id: 'detail', head: 'Detail', cell: ({ detail }) => detail },
]

const sayField = (label: string, value: unknown) => {
  if (typeof value !== 'string') return JSON.stringify(value)
  return label.endsWith('_sid') ? <CopyText text={value} always /> : value
}

/** All that was said of an alert, under the names by which it was said. */
const Fields = ({ row }: { row: Alert }) => (
  <div className={css.pairs}>
    <KeyValues
      items={Object.entries(row)
        // the account's name is the server's word, not the alert's
        .filter(([label, value]) => label !== 'account_name' && value !== null && value !== undefined)
        .map(([label, value]) => ({
          label,
          value: sayField(label, value),
          mono: label !== 'message' && label !== 'detail',
        }))}
    />
  </div>
)

/** Two alerts of one moment are told apart by what they say. */
const alertKey = ({ time, alert_type, account_sid, message }: Alert) =>
  [time, alert_type ?? '', account_sid ?? '', (message ?? '').slice(0, 80)].join(' ')

/** What went wrong, of an account or of the current provider and all its accounts. */
export const AlertList = () => {
  const actor = useActor()
  const provider = useProviderSid()
  const ofOneAccount = ({ account }: Look) => actor.scope === 'account' || account !== ''
  return (
    <TimedList<Alert>
      kind="alert"
      title="Alerts"
      noun={{ one: 'alert', many: 'alerts' }}
      source={(account) => alertsBelow(actor, provider, account)}
      dates={alertDates}
      columns={(look) => columnsOf(ofOneAccount(look))}
      rowKey={alertKey}
      card={(row, look) => (
        <span className={css.face}>
          <span className={css.time}>{sayMoment(row.time)}</span>
          <span className={css.message}>{row.message}</span>
          {ofOneAccount(look) ? null : <span className={css.account}>{accountOf(row)}</span>}
        </span>
      )}
      detail={(row) => <Fields row={row} />}
    />
  )
}
