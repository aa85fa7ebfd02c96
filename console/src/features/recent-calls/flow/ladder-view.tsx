import { messages } from '@trunkline/contract/messages/call-flow'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { KeyRound, Repeat } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { Ladder, LadderLegend, type LadderLine } from '../../../ui/chart/ladder'
import { CheckMark } from '../../../ui/check-mark'
import { FilterSelect } from '../../../ui/table/filter-select'
import { DetailHeader } from '../detail/detail-header'
import sectionCss from '../detail/detail-section.module.css'
import { formatDurationMs } from '../trace/model/time-scale'
import { formatSocket, MessageDetails, StreamDetails } from './call-flow-message'
import css from './call-flow.module.css'
import type { Capture } from './model/capture/capture'
import { maxStreams } from './model/capture/rtp'
import { maxTcpStreams } from './model/capture/tcp'
import { createLadder, type Ladder as LadderModel, type LadderRow, type MessageRow } from './model/ladder'

const getMessageNote = ({ isChallenge, isRetransmission, retransmissionCount }: MessageRow): LadderLine['note'] => {
  if (isChallenge) return { icon: KeyRound, text: messages.challenge, bad: true }
  if (isRetransmission) return { icon: Repeat, text: messages.retransmission }
  if (retransmissionCount === 0) return undefined
  return { icon: Repeat, text: messages.retransmissionCount(retransmissionCount) }
}

const getMessageSubtitle = ({ hasCredentials, hasSession }: MessageRow) =>
  [hasCredentials ? 'AUTH' : '', hasSession ? messages.session : ''].filter(Boolean).join(' + ')

const formatSeconds = (microseconds: number) => (microseconds / 1e6).toFixed(3)

const getTitle = (row: LadderRow) =>
  row.kind === 'message' ? row.title : messages.rtpStream(row.codec, formatDurationMs(row.lengthUs / 1000))

const toLadderLine = (row: LadderRow, index: number): LadderLine => {
  const common = {
    id: String(index),
    from: row.fromColumn,
    to: row.toColumn,
    time: formatSeconds(row.offsetUs),
    title: getTitle(row),
  }
  if (row.kind === 'media') {
    const { source, target } = row.streams[0]!
    return { ...common, spokenText: messages.direction(formatSocket(source), formatSocket(target)) }
  }
  const { source, target } = row.message
  return {
    ...common,
    sincePrevious: `+${formatDurationMs(row.sincePreviousUs / 1000)}`,
    tone: row.tone,
    subtitle: getMessageSubtitle(row),
    note: getMessageNote(row),
    spokenText: messages.direction(formatSocket(source), formatSocket(target)),
  }
}

/** Returns the object that identifies a row. It stays the same when the filters of the ladder change. */
const getRowSource = (row: LadderRow) => (row.kind === 'message' ? row.message : row.streams[0])

const formatSummary = ({ rows, participants }: LadderModel) => {
  const endUs = rows.reduce(
    (latestUs, row) => Math.max(latestUs, row.offsetUs + (row.kind === 'media' ? row.lengthUs : 0)),
    0,
  )
  const messageCount = rows.filter(({ kind }) => kind === 'message').length
  return messages.summary(
    messageCount,
    participants.length,
    formatDurationMs((endUs - (rows[0]?.offsetUs ?? 0)) / 1000),
  )
}

/** Number of ports in the heading of a column. */
const maxPorts = 10

const formatPorts = (ports: readonly number[]) => {
  const portList = ports.slice(0, maxPorts).join(', ')
  return ports.length > maxPorts ? `${portList} ${messages.morePorts(ports.length - maxPorts)}` : portList
}

/** Shows the trunk's name for its address; other hosts are known by address only. */
const toColumn = ({ address, ports }: LadderModel['participants'][number], call: RecentCall | undefined) => {
  const portList = formatPorts(ports)
  return call?.trunk && call.remote_host === address
    ? { title: call.trunk, note: `${address}:${portList}` }
    : { title: address, note: portList }
}

/** Returns the position among the messages. RTP rows are not counted, as in the summary. */
const formatPosition = (rows: LadderModel['rows'], index: number): string => {
  if (rows[index]?.kind !== 'message') return ''
  const countMessages = (ladderRows: LadderModel['rows']) => ladderRows.filter(({ kind }) => kind === 'message').length
  return messages.position(countMessages(rows.slice(0, index + 1)), countMessages(rows))
}

/** The ladder of a capture with its filters and its selected row, which is the first row by default. */
const useLadder = (capture: Capture) => {
  const [callId, setCallId] = useState('')
  const [showsRetransmissions, setShowsRetransmissions] = useState(false)
  const [selectedSource, setSelectedSource] = useState<ReturnType<typeof getRowSource>>()
  const model = useMemo(
    () => createLadder(capture, { showsRetransmissions, ...(callId ? { callId } : {}) }),
    [capture, showsRetransmissions, callId],
  )
  const lines = useMemo(() => model.rows.map(toLadderLine), [model])
  const selectedIndex = Math.max(
    0,
    model.rows.findIndex((row) => getRowSource(row) === selectedSource),
  )
  const selectRow = (index: number) => {
    const row = model.rows[index]
    if (row) setSelectedSource(getRowSource(row))
  }
  return { model, lines, selectedIndex, selectRow, callId, setCallId, showsRetransmissions, setShowsRetransmissions }
}

type LadderToolbarProps = Pick<
  ReturnType<typeof useLadder>,
  'model' | 'callId' | 'setCallId' | 'showsRetransmissions' | 'setShowsRetransmissions'
> & { children: ReactNode }

/** The filters above a ladder, with its summary and legend. */
const LadderToolbar = ({ model, children, ...filters }: LadderToolbarProps) => {
  const { callId, setCallId, showsRetransmissions, setShowsRetransmissions } = filters
  const tones = (Object.keys(messages.messageClasses) as (keyof typeof messages.messageClasses)[]).filter((tone) =>
    model.rows.some((row) => row.kind === 'message' && row.tone === tone),
  )
  return (
    <div className={sectionCss.toolbar}>
      {model.legs.length > 1 ? (
        <FilterSelect
          name={messages.leg}
          size="sm"
          inactiveValue=""
          value={callId}
          options={[
            { value: '', label: messages.allLegs },
            ...model.legs.map((leg) => ({
              value: leg.callId,
              label: messages.legName(leg.fromUser, leg.toUser, leg.messageCount),
            })),
          ]}
          onChange={setCallId}
        />
      ) : null}
      {model.retransmissionCount > 0 ? (
        <span className={sectionCss.checkbox}>
          <CheckMark
            label={messages.showRetransmissions}
            checked={showsRetransmissions}
            onChange={() => setShowsRetransmissions(!showsRetransmissions)}
          />
          <span aria-hidden="true">{messages.showRetransmissions}</span>
        </span>
      ) : null}
      <span className={sectionCss.summary} role="status">
        {formatSummary(model)}
      </span>
      {children}
      <LadderLegend items={tones.map((tone) => ({ tone, label: messages.messageClasses[tone] }))} />
    </div>
  )
}

/** Says what is missing in a ladder. */
const listWarnings = (
  { isDamaged, hasMissingStreams, hasIncompleteTcpStreams }: Capture,
  { participants, participantCount, hiddenMessageCount }: LadderModel,
): string[] => [
  ...(isDamaged ? [messages.damaged] : []),
  ...(participantCount > participants.length
    ? [messages.tooManyParticipants(participants.length, participantCount, hiddenMessageCount)]
    : []),
  ...(hasMissingStreams ? [messages.tooManyStreams(maxStreams)] : []),
  ...(hasIncompleteTcpStreams ? [messages.tooManyTcpStreams(maxTcpStreams)] : []),
]

interface LadderViewProps {
  capture: Capture
  /** The call's record. Undefined if the capture is not of this call. */
  call: RecentCall | undefined
  /** Further content of the toolbar. */
  children: ReactNode
}

/** The ladder of a capture, with the details of the selected row. */
export const LadderView = ({ capture, call, children }: LadderViewProps) => {
  const { model, lines, selectedIndex, selectRow, ...filters } = useLadder(capture)
  const row = model.rows[selectedIndex]
  return (
    <div className={sectionCss.section}>
      <LadderToolbar model={model} {...filters}>
        {children}
      </LadderToolbar>
      {listWarnings(capture, model).map((warning) => (
        <p key={warning} className={sectionCss.warning}>
          {warning}
        </p>
      ))}
      <Ladder
        label={messages.list}
        timeLabel="Time"
        columnsLabel="Participants"
        columns={model.participants.map((participant) => toColumn(participant, call))}
        lines={lines}
        selectedId={String(selectedIndex)}
        onSelect={(id) => selectRow(Number(id))}
        detailLabel="Selected message"
      >
        {row ? (
          <div className={css.details}>
            <DetailHeader
              title={getTitle(row)}
              index={selectedIndex}
              count={model.rows.length}
              position={formatPosition(model.rows, selectedIndex)}
              texts={messages}
              {...(row.kind === 'message' ? { text: row.message.text } : {})}
              onSelect={selectRow}
            />
            {row.kind === 'message' ? <MessageDetails row={row} /> : <StreamDetails row={row} />}
          </div>
        ) : null}
      </Ladder>
    </div>
  )
}
