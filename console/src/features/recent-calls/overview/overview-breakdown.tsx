import { messages } from '@trunkline/contract/messages/recent-call'
import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import { CircleAlert } from 'lucide-react'
import { useState, type CSSProperties, type ReactNode } from 'react'
import type { EventListView } from '../../../kit/event-list/use-event-list'
import css from './overview-breakdown.module.css'
import { getAnsweredShare, rankGroups, type RankedGroup } from './overview-groups'
import type { Grouping } from '../../../panels/calls/overview-query'
import { getReasonPhrase, noStatusLabel } from '../../../panels/calls/sip-reason'

const groupings: { grouping: Grouping; text: string; label: string }[] = [
  { grouping: 'failures', text: 'Failures', label: 'Failures by SIP status' },
  { grouping: 'trunk', text: 'Trunks', label: 'Calls by trunk' },
  { grouping: 'account', text: 'Accounts', label: 'Calls by account' },
]

/** Number of rows that fit beside the chart. In a longer list the last row is a button that shows all. */
const maxRows = 4

/** The first rows of a list, with a button that shows the others. */
const ExpandableRows = ({ children: rows }: { children: ReactNode[] }) => {
  const [isExpanded, setIsExpanded] = useState(false)
  const hiddenCount = rows.length > maxRows ? rows.length - maxRows + 1 : 0
  if (rows.length === 0) return <p>None</p>
  return (
    <ul>
      {isExpanded || hiddenCount === 0 ? rows : rows.slice(0, maxRows - 1)}
      {hiddenCount > 0 ? (
        <li className={css.more}>
          <button type="button" onClick={() => setIsExpanded(!isExpanded)}>
            {isExpanded ? 'Show fewer' : `… and ${hiddenCount} more`}
          </button>
        </li>
      ) : null}
    </ul>
  )
}

type AddFilters = EventListView['addFilters']

const Failures = ({ failures, addFilters }: { failures: CallOverview['failures']; addFilters: AddFilters }) => (
  <ExpandableRows>
    {failures.map(({ sip_status, calls }) => (
      <li key={sip_status}>
        <button type="button" onClick={() => addFilters({ status: 'not-answered', sip: String(sip_status) })}>
          <span>{sip_status === 0 ? noStatusLabel : `${sip_status} ${getReasonPhrase(sip_status)}`}</span>{' '}
          <b>{calls.toLocaleString('en-US')}</b>
        </button>
      </li>
    ))}
  </ExpandableRows>
)

const GroupFigures = ({ group }: { group: RankedGroup }) => {
  const { value, account_name, calls, isOutlier } = group
  const percent = Math.floor(getAnsweredShare(group) * 100)
  return (
    <>
      <span>{value === null ? 'Others' : (account_name ?? value)}</span>{' '}
      <i className={css.share} style={{ '--answered': `${percent}%` } as CSSProperties} aria-hidden="true" />
      <em data-outlier={isOutlier || undefined}>
        {isOutlier ? <CircleAlert size={12} strokeWidth={2.25} aria-hidden="true" /> : null}
        {percent}% <span className="visually-hidden">answered of</span>
      </em>{' '}
      <b>
        {calls.toLocaleString('en-US')} <span className="visually-hidden">{calls === 1 ? 'call' : 'calls'}</span>
      </b>
    </>
  )
}

const formatGroupTitle = ({ value, account_name, calls, answered, isOutlier }: RankedGroup): string => {
  const name = value === null ? 'Others' : (account_name ?? value)
  const text = `${name}: ${answered.toLocaleString('en-US')} of ${calls.toLocaleString('en-US')} calls answered`
  return isOutlier ? `${text}. ${messages.outlier}` : text
}

interface GroupsProps {
  grouping: 'trunk' | 'account'
  data: CallOverview
  addFilters: AddFilters
}

const Groups = ({ grouping, data, addFilters }: GroupsProps) => {
  const { groups } = data
  if (groups === null) return <p>{messages.tooManyToGroup}</p>
  const selectGroup = (value: string) => (grouping === 'trunk' ? addFilters({ trunk: value }) : addFilters({}, value))
  return (
    <ExpandableRows>
      {rankGroups(groups ?? [], data).map((group) => {
        const { value } = group
        return (
          <li key={value ?? ''} title={formatGroupTitle(group)}>
            {value === null ? (
              <p>
                <GroupFigures group={group} />
              </p>
            ) : (
              <button type="button" onClick={() => selectGroup(value)}>
                <GroupFigures group={group} />
              </button>
            )}
          </li>
        )
      })}
    </ExpandableRows>
  )
}

interface BreakdownProps {
  data: CallOverview
  addFilters: AddFilters
  grouping: Grouping
  /** Available groupings; a single one is not offered as a choice. */
  availableGroupings: readonly Grouping[]
  onChange: (grouping: Grouping) => void
  /** The groups are loading. */
  isPending: boolean
}

/** The failures of the filtered calls by SIP status, or the calls by trunk or account. */
export const Breakdown = ({ data, addFilters, grouping, availableGroupings, onChange, isPending }: BreakdownProps) => (
  <div className={css.breakdown} aria-busy={isPending || undefined}>
    {availableGroupings.length > 1 ? (
      <div role="group" aria-label="Breakdown" className={css.choices}>
        {groupings
          .filter((choice) => availableGroupings.includes(choice.grouping))
          .map((choice) => (
            <button
              key={choice.grouping}
              type="button"
              aria-pressed={choice.grouping === grouping}
              title={choice.label}
              onClick={() => onChange(choice.grouping)}
            >
              {choice.text}
            </button>
          ))}
      </div>
    ) : (
      <h2>{groupings[0]?.label}</h2>
    )}
    {/* the key resets the state of "Show fewer" for each grouping */}
    {grouping === 'failures' ? <Failures failures={data.failures} addFilters={addFilters} /> : null}
    {grouping !== 'failures' && !isPending ? (
      <Groups key={grouping} grouping={grouping} data={data} addFilters={addFilters} />
    ) : null}
  </div>
)
