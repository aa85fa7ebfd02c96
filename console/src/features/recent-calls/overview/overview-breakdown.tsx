import { messages } from '@trunkline/contract/messages/recent-call'
import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import { CircleAlert } from 'lucide-react'
import { useState, type CSSProperties, type ReactNode } from 'react'
import type { TimedView } from '../../../kit/timed-list/use-timed-list'
import css from './overview-breakdown.module.css'
import { answeredShare, rankGroups, type RankedGroup } from './overview-groups'
import { sipReason, unsaid } from '../detail/sip-reason'

/** The grouping of the breakdown. */
export type BreakdownBy = 'failures' | 'trunk' | 'account'

const choices: { by: BreakdownBy; text: string; label: string }[] = [
  { by: 'failures', text: 'Failures', label: 'Failures by SIP status' },
  { by: 'trunk', text: 'Trunks', label: 'Calls by trunk' },
  { by: 'account', text: 'Accounts', label: 'Calls by account' },
]

/** Number of rows that fit beside the chart. In a longer list the last row is a button that shows all. */
const maxRows = 4

/** The first rows of a list, with a button that shows the others. */
const Rows = ({ children: rows }: { children: ReactNode[] }) => {
  const [all, setAll] = useState(false)
  const more = rows.length > maxRows ? rows.length - maxRows + 1 : 0
  if (rows.length === 0) return <p>None</p>
  return (
    <ul>
      {all || more === 0 ? rows : rows.slice(0, maxRows - 1)}
      {more > 0 ? (
        <li className={css.more}>
          <button type="button" onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : `… and ${more} more`}
          </button>
        </li>
      ) : null}
    </ul>
  )
}

type Narrow = TimedView['addFilters']

const Failures = ({ failures, narrow }: { failures: CallOverview['failures']; narrow: Narrow }) => (
  <Rows>
    {failures.map(({ sip_status, calls }) => (
      <li key={sip_status}>
        <button type="button" onClick={() => narrow({ status: 'not-answered', sip: String(sip_status) })}>
          <span>{sip_status === 0 ? unsaid : `${sip_status} ${sipReason(sip_status)}`}</span>{' '}
          <b>{calls.toLocaleString('en-US')}</b>
        </button>
      </li>
    ))}
  </Rows>
)

const Facts = ({ group }: { group: RankedGroup }) => {
  const { value, account_name, calls, isOutlier } = group
  const percent = Math.floor(answeredShare(group) * 100)
  return (
    <>
      <span>{value === null ? 'Others' : (account_name ?? value)}</span>{' '}
      <i className={css.share} style={{ '--answered': `${percent}%` } as CSSProperties} aria-hidden="true" />
      <em data-outlier={isOutlier || undefined}>
        {isOutlier ? <CircleAlert size={12} strokeWidth={2.25} aria-hidden="true" /> : null}
        {percent} % <span className="vh">answered of</span>
      </em>{' '}
      <b>
        {calls.toLocaleString('en-US')} <span className="vh">{calls === 1 ? 'call' : 'calls'}</span>
      </b>
    </>
  )
}

const titleOf = ({ value, account_name, calls, answered, isOutlier }: RankedGroup): string => {
  const name = value === null ? 'Others' : (account_name ?? value)
  const facts = `${name}: ${answered.toLocaleString('en-US')} of ${calls.toLocaleString('en-US')} calls answered`
  return isOutlier ? `${facts}. ${messages.outlier}` : facts
}

interface GroupsProps {
  by: 'trunk' | 'account'
  data: CallOverview
  narrow: Narrow
}

const Groups = ({ by, data, narrow }: GroupsProps) => {
  const { groups } = data
  if (groups === null) return <p>{messages.tooManyToGroup}</p>
  const choose = (value: string) => (by === 'trunk' ? narrow({ trunk: value }) : narrow({}, value))
  return (
    <Rows>
      {rankGroups(groups ?? [], data).map((group) => {
        const { value } = group
        return (
          <li key={value ?? ''} title={titleOf(group)}>
            {value === null ? (
              <p>
                <Facts group={group} />
              </p>
            ) : (
              <button type="button" onClick={() => choose(value)}>
                <Facts group={group} />
              </button>
            )}
          </li>
        )
      })}
    </Rows>
  )
}

interface BreakdownProps {
  data: CallOverview
  narrow: Narrow
  by: BreakdownBy
  /** Available groupings; a single one is not offered as a choice. */
  offered: readonly BreakdownBy[]
  onChange: (by: BreakdownBy) => void
  /** The groups are loading. */
  pending: boolean
}

/** The failures of the filtered calls by SIP status, or the calls by trunk or account. */
export const Breakdown = ({ data, narrow, by, offered, onChange, pending }: BreakdownProps) => (
  <div className={css.breakdown} aria-busy={pending || undefined}>
    {offered.length > 1 ? (
      <div role="group" aria-label="Breakdown" className={css.choices}>
        {choices
          .filter((choice) => offered.includes(choice.by))
          .map((choice) => (
            <button
              key={choice.by}
              type="button"
              aria-pressed={choice.by === by}
              title={choice.label}
              onClick={() => onChange(choice.by)}
            >
              {choice.text}
            </button>
          ))}
      </div>
    ) : (
      <h2>{choices[0]?.label}</h2>
    )}
    {/* the key resets the state of "Show fewer" for each grouping */}
    {by === 'failures' ? <Failures failures={data.failures} narrow={narrow} /> : null}
    {by !== 'failures' && !pending ? <Groups key={by} by={by} data={data} narrow={narrow} /> : null}
  </div>
)
