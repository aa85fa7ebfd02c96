import { isTrouble, type LogLine } from './model/log-line'
import { messages } from '@trunkline/contract/messages/system-log'
import { Copy, Download, ScrollText } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { getErrorMessage } from '../../../lib/problem'
import { saveFile } from '../../../lib/save-file'
import { Button } from '../../../ui/button'
import { CheckMark } from '../../../ui/check-mark'
import { copyText } from '../../../ui/copy'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { FailedState } from '../../../ui/feedback/failed-state'
import { LogLines, type LogRow } from '../../../ui/chart/log-lines'
import { FilterSelect } from '../../../ui/table/filter-select'
import { FilterInput } from '../../../ui/table/toolbar'
import { FactsBlock, FactsHead } from '../detail/detail-header'
import css from './logs.module.css'
import part from '../detail/detail-section.module.css'
import { useLogs, type LogPlace } from './use-logs'

const two = (value: number, digits = 2) => String(value).padStart(digits, '0')

/** Formats the local time of day, to the millisecond. */
const clock = (time: number | undefined): string => {
  if (time === undefined) return ''
  const then = new Date(time)
  const parts = [then.getHours(), then.getMinutes(), then.getSeconds()].map((part) => two(part))
  return `${parts.join(':')}.${two(then.getMilliseconds(), 3)}`
}

const toneOf = ({ level }: LogLine): LogRow['tone'] => {
  if (!isTrouble(level)) return 'plain'
  return level === 'warn' ? 'warn' : 'bad'
}

const rowOf = (line: LogLine, at: number): LogRow => ({
  id: String(at),
  time: clock(line.time),
  tone: toneOf(line),
  level: (line.level ?? '').toUpperCase(),
  title: line.title,
  aside: line.aside,
})

const Chosen = ({ line, ...head }: { line: LogLine; at: number; all: number; onGo: (at: number) => void }) => (
  <>
    <FactsHead
      {...head}
      title={[clock(line.time), line.level?.toUpperCase()].filter(Boolean).join(' ') || messages.text}
      text={line.fields ?? line.text}
      words={{ ...messages, copy: messages.copyLine, copied: messages.copiedLine }}
    />
    {line.title ? <p className={css.words}>{line.title}</p> : null}
    {line.fields === undefined ? null : <FactsBlock name={messages.fields} text={line.fields} />}
  </>
)

interface LinesProps {
  all: readonly LogLine[]
  callSid: string
  /** Select for the log group, if there are several. */
  children: ReactNode
}

const Lines = ({ all, callSid, children }: LinesProps) => {
  // the server's last line reports that it omitted lines
  const cut = all.at(-1)?.text === messages.truncated
  const lines = useMemo(() => (cut ? all.slice(0, -1) : all), [all, cut])
  const [chosen, setChosen] = useState('0')
  const [text, setText] = useState('')
  const [worse, setWorse] = useState(false)
  const rows = useMemo(() => lines.map(rowOf), [lines])
  const shown = useMemo(
    () =>
      rows.filter(
        ({ tone }, at) =>
          (!worse || tone !== 'plain') && (!text || lines[at]?.text.toLowerCase().includes(text.trim())),
      ),
    [rows, lines, worse, text],
  )
  const at = shown.findIndex(({ id }) => id === chosen)
  const line = at < 0 ? undefined : lines[Number(chosen)]
  const whole = () => `${all.map((each) => each.text.trimEnd()).join('\n')}\n`
  const summary =
    shown.length === lines.length ? messages.lineCount(lines.length) : messages.matchCount(shown.length, lines.length)
  return (
    <div className={part.part}>
      <div className={part.top}>
        {children}
        {rows.some(({ tone }) => tone !== 'plain') ? (
          <span className={part.tick}>
            <CheckMark label={messages.warningsOnly} checked={worse} onChange={() => setWorse(!worse)} />
            <span aria-hidden="true">{messages.warningsOnly}</span>
          </span>
        ) : null}
        <span className={part.summary} role="status">
          {summary}
        </span>
        <FilterInput label={messages.search} value={text} onChange={setText} debounce={150} />
        <span className={css.buttons}>
          <Button icon={Copy} size="sm" onClick={() => void copyText(whole(), messages.copied)}>
            {messages.copy}
          </Button>
          <Button
            icon={Download}
            size="sm"
            onClick={() => saveFile(new Blob([whole()], { type: 'text/plain' }), `${callSid}.log`)}
          >
            {messages.download}
          </Button>
        </span>
      </div>
      {cut ? <p className={part.cut}>{messages.truncated}</p> : null}
      <LogLines
        label={messages.list}
        lines={shown}
        text={text}
        chosen={chosen}
        onChoose={setChosen}
        empty={<EmptyState title={messages.nothingFound} />}
        detailLabel={messages.detail}
      >
        {line ? (
          <Chosen line={line} at={at} all={shown.length} onGo={(to) => setChosen(shown[to]?.id ?? chosen)} />
        ) : (
          <p className={css.words}>{messages.selectLine}</p>
        )}
      </LogLines>
    </div>
  )
}

/** The log lines that the platform's servers wrote while they handled a call. */
export const Logs = (place: LogPlace) => {
  const { callSid, groups } = place
  const [group, setGroup] = useState(groups[0] ?? '')
  const { data, error, refetch, isFetching } = useLogs(place, group)
  const pick =
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
      <Lines key={group} all={data} callSid={callSid}>
        {pick}
      </Lines>
    )
  return (
    <div className={part.part}>
      {pick ? <div className={part.top}>{pick}</div> : null}
      {data ? <EmptyState icon={ScrollText} title={messages.none} text={messages.noneHint(group)} /> : null}
      {error ? (
        <FailedState message={getErrorMessage(error)} onRetry={() => void refetch()} pending={isFetching} />
      ) : null}
      {data || error ? null : (
        <div className={part.waiting} aria-busy="true" aria-label={messages.loading} role="status" />
      )}
    </div>
  )
}
