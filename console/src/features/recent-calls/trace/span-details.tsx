import type { Span } from './model/span-tree'
import type { Stretch } from './model/critical-path'
import { durationText } from './model/time-scale'
import { troubleOf } from './model/span-kind'
import { spanIdText } from './model/trace-id'
import { messages } from '@trunkline/contract/messages/trace'
import { Status } from '../../../ui/status'
import css from './trace.module.css'

export interface SpanFactsProps {
  span: Span
  /** Time ranges in which the span is on the critical path. */
  stretches: readonly Stretch[] | undefined
}

/** Formats JSON objects and arrays; undefined for any other value. */
const pretty = (value: string): string | undefined => {
  if (!/^\s*[[{]/.test(value)) return undefined
  try {
    return JSON.stringify(JSON.parse(value), null, 2)
  } catch {
    return undefined
  }
}

const Pair = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
)

/** The details of a span. */
export const SpanFacts = ({ span, stretches }: SpanFactsProps) => {
  const { id, parentId, name, kind, start, end, attributes, events, failure } = span
  const trouble = troubleOf(span)
  const waited = (stretches ?? []).reduce((sum, [from, to]) => sum + to - from, 0)
  const long = attributes.flatMap(({ key, value }) => {
    const text = pretty(value)
    return text === undefined ? [] : [{ key, text }]
  })
  const plain = attributes.filter(({ key }) => !long.some((each) => each.key === key))
  return (
    <div className={css.facts}>
      <header>
        <h2>{name}</h2>
        <span className={css.kind}>{messages.kinds[kind]}</span>
      </header>
      <dl className={css.big}>
        <Pair label="Start" value={durationText(start)} />
        <Pair label="Duration" value={durationText(end - start)} />
      </dl>
      {trouble || waited > 0 ? (
        <p className={css.remarks}>
          {trouble ? <Status kind="bad">{failure ?? trouble}</Status> : null}
          {waited > 0 ? messages.criticalTime(durationText(waited)) : null}
        </p>
      ) : null}
      <dl className={css.attributes}>
        {plain.map(({ key, value }, at) => (
          <Pair key={`${key} ${at}`} label={key} value={value} />
        ))}
        {events.map(({ name: event, at }, place) => (
          <Pair key={`${event} ${place}`} label={durationText(at)} value={event} />
        ))}
        <Pair label="spanId" value={spanIdText(id)} />
        {parentId ? <Pair label="parentSpanId" value={spanIdText(parentId)} /> : null}
      </dl>
      {long.map(({ key, text }) => (
        <div key={key} className={css.long}>
          <h3>{key}</h3>
          {/* makes the text scrollable with the keyboard */}
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre tabIndex={0} aria-label={key} role="region">
            <code>{text}</code>
          </pre>
        </div>
      ))}
    </div>
  )
}
