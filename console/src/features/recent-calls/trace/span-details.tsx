import type { Span } from './model/span'
import type { TimeRange } from './model/critical-path'
import { formatDurationMs } from './model/time-scale'
import { getProblem } from './model/span-kind'
import { formatSpanId } from './model/trace-id'
import { messages } from '@trunkline/contract/messages/trace'
import { X } from 'lucide-react'
import { IconButton } from '../../../ui/button'
import { Status } from '../../../ui/status'
import css from './trace.module.css'

export interface SpanDetailsProps {
  span: Span
  /** Time ranges in which the span is on the critical path. */
  criticalRanges: readonly TimeRange[] | undefined
  onClose: () => void
}

/** Formats JSON objects and arrays; undefined for any other value. */
const formatJson = (value: string): string | undefined => {
  if (!/^\s*[[{]/.test(value)) return undefined
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return undefined
  }
}

const LabelledValue = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
)

/** The details of a span. */
export const SpanDetails = ({ span, criticalRanges, onClose }: SpanDetailsProps) => {
  const { id, parentId, name, kind, start, end, attributes, events, failure } = span
  const problem = getProblem(span)
  const criticalMs = (criticalRanges ?? []).reduce((sum, [from, to]) => sum + to - from, 0)
  const formattedAttributes = attributes.map(({ key, value }) => ({ key, value, json: formatJson(value) }))
  const textAttributes = formattedAttributes.filter(({ json }) => json === undefined)
  const jsonAttributes = formattedAttributes.filter(({ json }) => json !== undefined)
  return (
    <div className={css.details}>
      <header>
        <h2>{name}</h2>
        <span className={css.kind}>{messages.kinds[kind]}</span>
        <IconButton icon={X} size="sm" label={messages.closeDetails} aria-keyshortcuts="Escape" onClick={onClose} />
      </header>
      <dl className={css.times}>
        <LabelledValue label="Start" value={formatDurationMs(start)} />
        <LabelledValue label="Duration" value={formatDurationMs(end - start)} />
      </dl>
      {problem || criticalMs > 0 ? (
        <p className={css.remarks}>
          {problem ? <Status kind="bad">{failure ?? problem}</Status> : null}
          {criticalMs > 0 ? messages.criticalTime(formatDurationMs(criticalMs)) : null}
        </p>
      ) : null}
      <dl className={css.attributes}>
        {textAttributes.map(({ key, value }, index) => (
          <LabelledValue key={`${key} ${index}`} label={key} value={value} />
        ))}
        {events.map(({ name: event, offsetMs }, index) => (
          <LabelledValue key={`${event} ${index}`} label={formatDurationMs(offsetMs)} value={event} />
        ))}
        <LabelledValue label="spanId" value={formatSpanId(id)} />
        {parentId ? <LabelledValue label="parentSpanId" value={formatSpanId(parentId)} /> : null}
      </dl>
      {jsonAttributes.map(({ key, json }, index) => (
        <div key={`${key} ${index}`} className={css.json}>
          <h3>{key}</h3>
          {/* makes the text scrollable with the keyboard */}
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre tabIndex={0} aria-label={key} role="region">
            <code>{json}</code>
          </pre>
        </div>
      ))}
    </div>
  )
}
