import { spanKinds } from './model/span'
import { getNote, getProblem } from './model/span-kind'
import { findCriticalPath } from './model/critical-path'
import { getVisibleRows } from './model/waterfall-rows'
import { formatDurationMs, getPreferredWidth, splitName, createTicks } from './model/time-scale'
import type { Span, Trace } from './model/span'
import { messages } from '@trunkline/contract/messages/trace'
import { ChartNoAxesGantt } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { capabilitiesQuery, noCapabilities } from '../../../lib/server-capabilities'
import { Problem, getErrorMessage } from '../../../lib/problem'
import { Button } from '../../../ui/button'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { FailedState } from '../../../ui/feedback/failed-state'
import { handlesEscape } from '../../../ui/handles-escape'
import { useMaxWidth } from '../../../ui/shell/use-window-width'
import { FilterInput } from '../../../ui/table/toolbar'
import { Waterfall, WaterfallLegend } from '../../../ui/chart/waterfall'
import type { WaterfallRow } from '../../../ui/chart/waterfall-row'
import css from './trace.module.css'
import { SpanDetails } from './span-details'
import { useTrace, type TraceParams } from './use-trace'

type CriticalPath = ReturnType<typeof findCriticalPath>

/** `collapsedIds` is undefined while spans can't be collapsed. */
const toWaterfallRow = (
  span: Span,
  path: CriticalPath,
  collapsedIds: ReadonlySet<string> | undefined,
): WaterfallRow => ({
  id: span.id,
  ...splitName(span.name),
  title: span.name,
  level: span.depth,
  tone: span.kind,
  kind: messages.kinds[span.kind],
  start: span.start,
  end: span.end,
  duration: formatDurationMs(span.end - span.start),
  note: getNote(span),
  problem: getProblem(span),
  isExpanded: collapsedIds && span.descendantCount > 0 ? !collapsedIds.has(span.id) : undefined,
  criticalPath: path.get(span.id),
})

const noCollapsedIds: ReadonlySet<string> = new Set()

const isDescendant = ({ spans }: Trace, id: string | undefined, ancestorId: string) => {
  const ancestorIndex = spans.findIndex((span) => span.id === ancestorId)
  const index = spans.findIndex((span) => span.id === id)
  return index > ancestorIndex && index <= ancestorIndex + (spans[ancestorIndex]?.descendantCount ?? 0)
}

/** Whether the details of the selected span are open: at first where they fit beside the spans. */
const useDetails = () => {
  const isBelowSpans = useMaxWidth(1199)
  const [isOpen, setIsOpen] = useState(!isBelowSpans)
  const container = useRef<HTMLDivElement>(null)
  const close = () => {
    setIsOpen(false)
    container.current?.querySelector<HTMLElement>('[role=tree]')?.focus()
  }
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen || event.defaultPrevented || handlesEscape(event.target as Element)) return
    // the next Escape closes the call
    event.preventDefault()
    close()
  }
  return { isOpen, open: () => setIsOpen(true), close, container, closeOnEscape }
}

const SpanWaterfall = ({ trace }: { trace: Trace }) => {
  const [selectedId, setSelectedId] = useState(trace.spans[0]?.id)
  const [collapsedIds, setCollapsedIds] = useState(noCollapsedIds)
  const [text, setText] = useState('')
  const details = useDetails()
  const path = useMemo(() => findCriticalPath(trace), [trace])
  const allRows = useMemo(() => trace.spans.map((span) => toWaterfallRow(span, path, noCollapsedIds)), [trace, path])
  const matchingRows = useMemo(() => getVisibleRows(trace, collapsedIds, text), [trace, collapsedIds, text])
  // a search expands all spans, so that every match is visible
  const rows = useMemo(() => {
    const rowCollapsedIds = text ? undefined : collapsedIds
    return matchingRows.map(({ span }) => toWaterfallRow(span, path, rowCollapsedIds))
  }, [matchingRows, path, collapsedIds, text])
  const fullRange = useMemo(() => [trace.startMs, trace.endMs] as const, [trace])
  const span = trace.spans.find(({ id }) => id === selectedId)
  const kinds = spanKinds.filter((kind) => trace.spans.some((traceSpan) => traceSpan.kind === kind))
  const matchCount = matchingRows.filter((row) => row.isMatch).length

  const toggleSpan = (id: string, open: boolean) => {
    setCollapsedIds((ids) => {
      const nextIds = new Set(ids)
      if (open) nextIds.delete(id)
      else nextIds.add(id)
      return nextIds
    })
    // select a visible span, so that the keyboard continues from it
    if (!open && isDescendant(trace, selectedId, id)) setSelectedId(id)
  }
  return (
    // Escape anywhere in the trace, which contains the controls that use the key themselves
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={details.container} className={css.tracing} onKeyDown={details.closeOnEscape}>
      <div className={css.toolbar}>
        <WaterfallLegend
          items={kinds.map((kind) => ({ tone: kind, label: messages.kinds[kind] }))}
          criticalPathLabel={messages.critical}
          criticalPathHelp={messages.criticalHelp}
        />
        <div className={css.search}>
          <span role="status">{text ? messages.matchCount(matchCount, trace.spans.length) : ''}</span>
          <FilterInput label="Search spans" value={text} onChange={setText} debounceMs={150} />
        </div>
      </div>
      <Waterfall
        label="Spans"
        summary={`${messages.spanCount(trace.spans.length)} · ${formatDurationMs(trace.endMs - trace.startMs)}`}
        {...{ rows, allRows, fullRange, getTicks: createTicks, selectedId, searchText: text }}
        getPreferredWidth={([from, to]) => getPreferredWidth(to - from)}
        formatRange={(from, to) => messages.shownRange(formatDurationMs(from), formatDurationMs(to))}
        criticalPathLabel={messages.critical}
        onSelect={setSelectedId}
        onOpen={details.open}
        onFold={toggleSpan}
        empty={<EmptyState title={messages.nothingFound} />}
      >
        {span && details.isOpen ? (
          <SpanDetails span={span} criticalRanges={path.get(span.id)} onClose={details.close} />
        ) : null}
      </Waterfall>
    </div>
  )
}

const getMissingText = (isLive: boolean, isV1Server: boolean) => {
  if (isLive) return messages.noneYet
  return isV1Server ? messages.notProvided : messages.none
}

/** The trace of a call as a waterfall. */
export const CallTrace = ({ isLive = false, ...params }: TraceParams & { isLive?: boolean }) => {
  const { data, error, refetch, isFetching } = useTrace(params, isLive)
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const isMissing = data === null || (error instanceof Problem && error.status === 404)
  if (data) return <SpanWaterfall key={params.traceId} trace={data} />
  if (isMissing)
    return (
      <EmptyState icon={ChartNoAxesGantt} title={getMissingText(isLive, capabilities === noCapabilities)}>
        <Button pending={isFetching} onClick={() => void refetch()}>
          {messages.checkAgain}
        </Button>
      </EmptyState>
    )
  if (error) return <FailedState message={getErrorMessage(error)} onRetry={() => void refetch()} pending={isFetching} />
  return <div className={css.placeholder} aria-busy="true" aria-label="Loading the trace" role="status" />
}
