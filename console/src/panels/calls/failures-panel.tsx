import { QueryPanel } from '../../kit/record/query-panel'
import type { PanelProps } from '../../ui/record/panel'
import { PanelList, PanelRow } from '../../ui/record/panel-list'
import css from './failures-panel.module.css'
import { createCallsPath, type RecordCalls } from './record-calls'
import { getReasonPhrase, noStatusLabel } from './sip-reason'
import { useWeek } from './week-panel'

const maxRows = 5

interface FailuresPanelProps {
  /** Undefined until the record has loaded. */
  calls: RecordCalls | undefined
  span?: PanelProps['span']
}

/** The unanswered calls of the last seven days by SIP status, each with a link to the calls. Omitted if there are none. */
export const FailuresPanel = ({ calls, span = 4 }: FailuresPanelProps) => {
  const { query, date, isAvailable } = useWeek(calls)
  if (!isAvailable) return null
  return (
    <QueryPanel
      title="Failures by SIP status"
      span={span}
      query={query}
      skeleton={{ rows: maxRows }}
      isEmpty={({ failures }) => failures.length === 0}
      count={() => '7 days'}
    >
      {({ failures }) => {
        const maxCount = Math.max(...failures.map(({ calls: count }) => count))
        return (
          <PanelList columns="minmax(0, 1fr) auto">
            {failures.slice(0, maxRows).map(({ sip_status, calls: count }) => (
              <PanelRow key={sip_status}>
                <span>{sip_status === 0 ? noStatusLabel : `${sip_status} ${getReasonPhrase(sip_status)}`}</span>
                {calls ? (
                  <a
                    className={css.count}
                    href={createCallsPath(calls, { date, status: 'not-answered', sip: String(sip_status) })}
                    aria-label={`${count.toLocaleString('en-US')} ${count === 1 ? 'call' : 'calls'} with ${sip_status || noStatusLabel}`}
                  >
                    {count.toLocaleString('en-US')}
                  </a>
                ) : null}
                {/* the count says the same */}
                <i className={css.bar} aria-hidden="true">
                  <i
                    data-server-error={sip_status >= 500 && sip_status < 600}
                    style={{ width: `${(100 * count) / maxCount}%` }}
                  />
                </i>
              </PanelRow>
            ))}
          </PanelList>
        )
      }}
    </QueryPanel>
  )
}
