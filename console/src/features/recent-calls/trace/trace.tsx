import { noteOf, spanKinds, troubleOf } from './model/span-kind'
import { criticalPath } from './model/critical-path'
import { rowsOf } from './model/waterfall-rows'
import { durationText, naturalWidth, rowName, ticksOf } from './model/time-scale'
import type { Span, Trace } from './model/span-tree'
import { messages } from '@trunkline/contract/messages/trace'
import { ChartNoAxesGantt } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { capabilitiesQuery, noCapabilities } from '../../../lib/server-capabilities'
import { Problem, getErrorMessage } from '../../../lib/problem'
import { Button } from '../../../ui/button'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { FailedState } from '../../../ui/feedback/failed-state'
import { FilterInput } from '../../../ui/table/toolbar'
import { Waterfall, WaterfallLegend } from '../../../ui/chart/waterfall'
import type { WaterfallRow } from '../../../ui/chart/waterfall-row'
import css from './trace.module.css'
import { SpanFacts } from './span-details'
import { useTrace, type TracePlace } from './use-trace'

type Path = ReturnType<typeof criticalPath>

/** `folded` is undefined while spans can't be collapsed. */
const rowOf = (span: Span, path: Path, folded: ReadonlySet<string> | undefined): WaterfallRow => ({
  id: span.id,
  ...rowName(span.name),
  title: span.name,
  level: span.depth,
  tone: span.kind,
  kind: messages.kinds[span.kind],
  start: span.start,
  end: span.end,
  duration: durationText(span.end - span.start),
  note: noteOf(span),
  trouble: troubleOf(span),
  open: folded && span.below > 0 ? !folded.has(span.id) : undefined,
  path: path.get(span.id),
})

const nothingFolded: ReadonlySet<string> = new Set()

const liesBelow = ({ spans }: Trace, id: string | undefined, above: string) => {
  const at = spans.findIndex((span) => span.id === above)
  const place = spans.findIndex((span) => span.id === id)
  return place > at && place <= at + (spans[at]?.below ?? 0)
}

const Spans = ({ trace }: { trace: Trace }) => {
  const [chosen, setChosen] = useState(trace.spans[0]?.id)
  const [folded, setFolded] = useState(nothingFolded)
  const [text, setText] = useState('')
  const path = useMemo(() => criticalPath(trace), [trace])
  const all = useMemo(() => trace.spans.map((span) => rowOf(span, path, nothingFolded)), [trace, path])
  const found = useMemo(() => rowsOf(trace, folded, text), [trace, folded, text])
  // a search expands all spans, so that every match is visible
  const rows = useMemo(() => {
    const shut = text ? undefined : folded
    return found.map(({ span }) => rowOf(span, path, shut))
  }, [found, path, folded, text])
  const whole = useMemo(() => [trace.from, trace.to] as const, [trace])
  const span = trace.spans.find(({ id }) => id === chosen)
  const kinds = spanKinds.filter((kind) => trace.spans.some((each) => each.kind === kind))
  const count = found.filter((row) => row.found).length

  const fold = (id: string, open: boolean) => {
    setFolded((known) => {
      const next = new Set(known)
      if (open) next.delete(id)
      else next.add(id)
      return next
    })
    // select a visible span, so that the keyboard continues from it
    if (!open && liesBelow(trace, chosen, id)) setChosen(id)
  }
  return (
    <div className={css.tracing}>
      <div className={css.top}>
        <WaterfallLegend
          items={kinds.map((kind) => ({ tone: kind, label: messages.kinds[kind] }))}
          path={messages.critical}
          pathHelp={messages.criticalHelp}
        />
        <div className={css.search}>
          <span role="status">{text ? messages.matchCount(count, trace.spans.length) : ''}</span>
          <FilterInput label="Search spans" value={text} onChange={setText} debounce={150} />
        </div>
      </div>
      <Waterfall
        label="Spans"
        summary={`${messages.spanCount(trace.spans.length)} · ${durationText(trace.to - trace.from)}`}
        {...{ rows, all, whole, ticksOf, chosen, text }}
        widthOf={([from, to]) => naturalWidth(to - from)}
        windowText={(from, to) => messages.shownRange(durationText(from), durationText(to))}
        pathLabel={messages.critical}
        onChoose={setChosen}
        onFold={fold}
        empty={<EmptyState title={messages.nothingFound} />}
      >
        {span ? <SpanFacts span={span} stretches={path.get(span.id)} /> : <p>{messages.selectSpan}</p>}
      </Waterfall>
    </div>
  )
}

/** The trace of a call as a waterfall. */
export const Tracing = (place: TracePlace) => {
  const { data, error, refetch, isFetching } = useTrace(place)
  const { data: able } = useQuery(capabilitiesQuery)
  const missing = data === null || (error instanceof Problem && error.status === 404)
  if (data) return <Spans key={place.traceId} trace={data} />
  if (missing)
    return (
      <EmptyState icon={ChartNoAxesGantt} title={able === noCapabilities ? messages.notProvided : messages.none}>
        <Button pending={isFetching} onClick={() => void refetch()}>
          {messages.checkAgain}
        </Button>
      </EmptyState>
    )
  if (error) return <FailedState message={getErrorMessage(error)} onRetry={() => void refetch()} pending={isFetching} />
  return <div className={css.waiting} aria-busy="true" aria-label="Loading the trace" role="status" />
}
