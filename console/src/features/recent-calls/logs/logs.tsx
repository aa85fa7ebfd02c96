import { maxRowTextLength, needsAttention, type LogLine } from './model/log-line'
import { messages } from '@trunkline/contract/messages/system-log'
import { Copy, Download, ScrollText } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { getErrorMessage } from '../../../lib/problem'
import { downloadFile } from '../../../lib/download-file'
import { Button } from '../../../ui/button'
import { CheckMark } from '../../../ui/check-mark'
import { copyText } from '../../../ui/copy'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { FailedState } from '../../../ui/feedback/failed-state'
import { LogLines, type LogRow } from '../../../ui/chart/log-lines'
import { FilterSelect } from '../../../ui/table/filter-select'
import { FilterInput } from '../../../ui/table/toolbar'
import { TextBlock, DetailHeader } from '../detail/detail-header'
import css from './logs.module.css'
import sectionCss from '../detail/detail-section.module.css'
import { useLogs, type LogParams } from './use-logs'

const padNumber = (value: number, digits = 2) => String(value).padStart(digits, '0')

/** Formats the local time of day, to the millisecond. */
const formatClock = (time: number | undefined): string => {
  if (time === undefined) return ''
  const date = new Date(time)
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => padNumber(part))
  return `${parts.join(':')}.${padNumber(date.getMilliseconds(), 3)}`
}

const getTone = ({ level }: LogLine): LogRow['tone'] => {
  if (!needsAttention(level)) return 'plain'
  return level === 'warn' ? 'warn' : 'bad'
}

const toLogRow = (line: LogLine, index: number): LogRow => ({
  id: String(index),
  time: formatClock(line.time),
  tone: getTone(line),
  level: (line.level ?? '').toUpperCase(),
  title: line.title.slice(0, maxRowTextLength),
  subtitle: line.fieldSummary,
})

const SelectedLine = ({
  line,
  ...headerProps
}: {
  line: LogLine
  index: number
  count: number
  onSelect: (index: number) => void
}) => (
  <>
    <DetailHeader
      {...headerProps}
      title={[formatClock(line.time), line.level?.toUpperCase()].filter(Boolean).join(' ') || messages.text}
      text={line.fields ?? line.text}
      texts={{ ...messages, copy: messages.copyLine, copiedName: messages.copiedLineName }}
    />
    {line.title ? <p className={css.message}>{line.title}</p> : null}
    {line.fields === undefined ? null : <TextBlock name={messages.fields} text={line.fields} />}
  </>
)

interface LogListProps {
  allLines: readonly LogLine[]
  callSid: string
  /** Select for the log group, if there are several. */
  children: ReactNode
}

const LogList = ({ allLines, callSid, children }: LogListProps) => {
  // the server's last line reports that it omitted lines
  const isTruncated = allLines.at(-1)?.text === messages.truncated
  const lines = useMemo(() => (isTruncated ? allLines.slice(0, -1) : allLines), [allLines, isTruncated])
  const [selectedId, setSelectedId] = useState('0')
  const [text, setText] = useState('')
  const [showsOnlyProblems, setShowsOnlyProblems] = useState(false)
  const rows = useMemo(() => lines.map(toLogRow), [lines])
  const visibleRows = useMemo(
    () =>
      rows.filter(
        ({ tone }, index) =>
          (!showsOnlyProblems || tone !== 'plain') &&
          (!text || lines[index]?.text.toLowerCase().includes(text.trim().toLowerCase())),
      ),
    [rows, lines, showsOnlyProblems, text],
  )
  const index = visibleRows.findIndex(({ id }) => id === selectedId)
  const line = index < 0 ? undefined : lines[Number(selectedId)]
  const joinLines = () => `${allLines.map((logLine) => logLine.text.trimEnd()).join('\n')}\n`
  const summary =
    visibleRows.length === lines.length
      ? messages.lineCount(lines.length)
      : messages.matchCount(visibleRows.length, lines.length)
  return (
    <div className={sectionCss.section}>
      <div className={sectionCss.toolbar}>
        {children}
        {rows.some(({ tone }) => tone !== 'plain') ? (
          <span className={sectionCss.checkbox}>
            <CheckMark
              label={messages.warningsOnly}
              checked={showsOnlyProblems}
              onChange={() => setShowsOnlyProblems(!showsOnlyProblems)}
            />
            <span aria-hidden="true">{messages.warningsOnly}</span>
          </span>
        ) : null}
        <span className={sectionCss.summary} role="status">
          {summary}
        </span>
        <FilterInput label={messages.search} value={text} onChange={setText} debounceMs={150} />
        <span className={css.buttons}>
          <Button icon={Copy} size="sm" onClick={() => void copyText(joinLines(), messages.copiedName)}>
            {messages.copy}
          </Button>
          <Button
            icon={Download}
            size="sm"
            onClick={() => downloadFile(new Blob([joinLines()], { type: 'text/plain' }), `${callSid}.log`)}
          >
            {messages.download}
          </Button>
        </span>
      </div>
      {isTruncated ? <p className={sectionCss.warning}>{messages.truncated}</p> : null}
      <LogLines
        label={messages.list}
        lines={visibleRows}
        searchText={text}
        selectedId={selectedId}
        onSelect={setSelectedId}
        empty={<EmptyState title={messages.nothingFound} />}
        detailLabel={messages.detail}
      >
        {line ? (
          <SelectedLine
            line={line}
            index={index}
            count={visibleRows.length}
            onSelect={(nextIndex) => setSelectedId(visibleRows[nextIndex]?.id ?? selectedId)}
          />
        ) : (
          <p className={css.message}>{messages.selectLine}</p>
        )}
      </LogLines>
    </div>
  )
}

/** The log lines that the platform's servers wrote while they handled a call. */
export const Logs = (params: LogParams) => {
  const { callSid, groups } = params
  const [group, setGroup] = useState(groups[0] ?? '')
  const { data, error, refetch, isFetching } = useLogs(params, group)
  const groupSelect =
    groups.length > 1 ? (
      <FilterSelect
        name={messages.group}
        size="sm"
        value={group}
        options={groups.map((name) => ({ value: name, label: name }))}
        onChange={setGroup}
      />
    ) : null
  if (data && data.length > 0)
    return (
      <LogList key={group} allLines={data} callSid={callSid}>
        {groupSelect}
      </LogList>
    )
  return (
    <div className={sectionCss.section}>
      {groupSelect ? <div className={sectionCss.toolbar}>{groupSelect}</div> : null}
      {data ? <EmptyState icon={ScrollText} title={messages.none} text={messages.noneHint(group)} /> : null}
      {error ? (
        <FailedState message={getErrorMessage(error)} onRetry={() => void refetch()} pending={isFetching} />
      ) : null}
      {data || error ? null : (
        <div className={sectionCss.placeholder} aria-busy="true" aria-label={messages.loading} role="status" />
      )}
    </div>
  )
}
