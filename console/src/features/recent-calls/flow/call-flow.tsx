import { useQuery } from '@tanstack/react-query'
import type { Capture } from './model/capture/capture'
import { createLadder, type Ladder as Model, type LadderRow, type MessageRow } from './model/ladder'
import { durationText } from '../trace/model/time-scale'
import { messages } from '@trunkline/contract/messages/call-flow'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { FolderOpen, Inbox, KeyRound, Repeat, X } from 'lucide-react'
import { useMemo, useRef, useState, type ReactNode } from 'react'
import { getErrorMessage } from '../../../lib/problem'
import { readCapture } from './read-capture'
import { Button, IconButton } from '../../../ui/button'
import { CheckMark } from '../../../ui/check-mark'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { FailedState } from '../../../ui/feedback/failed-state'
import { Ladder, LadderLegend, type LadderLine } from '../../../ui/chart/ladder'
import { FilterSelect } from '../../../ui/table/filter-select'
import { socketText, MessageDetails, StreamDetails } from './call-flow-message'
import css from './call-flow.module.css'
import { useCallCapture } from './captured-dialogue'
import { DetailHeader } from '../detail/detail-header'
import part from '../detail/detail-section.module.css'

const messageNote = ({
  isChallenge,
  isRetransmission: showRetransmissions,
  repeats,
}: MessageRow): LadderLine['note'] => {
  if (isChallenge) return { icon: KeyRound, text: messages.challenge, bad: true }
  if (showRetransmissions) return { icon: Repeat, text: messages.retransmission }
  return repeats > 0 ? { icon: Repeat, text: messages.retransmissionCount(repeats) } : undefined
}

const messageAside = ({ hasCredentials, hasSession }: MessageRow) =>
  [hasCredentials ? 'AUTH' : '', hasSession ? messages.session : ''].filter(Boolean).join(' + ')

const timeText = (microseconds: number) => (microseconds / 1e6).toFixed(3)

const titleOf = (row: LadderRow) =>
  row.kind === 'message' ? row.title : messages.rtpStream(row.codec, durationText(row.lengthUs / 1000))

const ladderLine = (row: LadderRow, index: number): LadderLine => {
  const common = { id: String(index), from: row.from, to: row.to, time: timeText(row.offsetUs), title: titleOf(row) }
  if (row.kind === 'media') {
    const { source, target } = row.streams[0]!
    return { ...common, spoken: messages.direction(socketText(source), socketText(target)) }
  }
  const { source, target } = row.message
  return {
    ...common,
    after: `+${durationText(row.sincePreviousUs / 1000)}`,
    tone: row.tone,
    aside: messageAside(row),
    note: messageNote(row),
    spoken: messages.direction(socketText(source), socketText(target)),
  }
}

/** Returns the object that identifies a row. It stays the same when the filters of the ladder change. */
const rowSource = (row: LadderRow) => (row.kind === 'message' ? row.message : row.streams[0])

const summaryText = ({ rows, participants }: Model) => {
  const endUs = rows.reduce(
    (latestUs, row) => Math.max(latestUs, row.offsetUs + (row.kind === 'media' ? row.lengthUs : 0)),
    0,
  )
  const messageCount = rows.filter(({ kind }) => kind === 'message').length
  return messages.summary(messageCount, participants.length, durationText((endUs - (rows[0]?.offsetUs ?? 0)) / 1000))
}

interface LadderViewProps {
  capture: Capture
  /** Record of the call. Undefined if the capture is not of this call. */
  row: RecentCall | undefined
  children: ReactNode
}

/** Shows the trunk's name for its address; other hosts are known by address only. */
const columnOf = ({ address, ports }: Model['participants'][number], row: RecentCall | undefined) => {
  const portList = ports.join(', ')
  return row?.trunk && row.remote_host === address
    ? { title: row.trunk, note: `${address}:${portList}` }
    : { title: address, note: portList }
}

const LadderView = ({ capture, row: callRow, children }: LadderViewProps) => {
  const [leg, setLeg] = useState('')
  const [showRetransmissions, setShowRetransmissions] = useState(false)
  const [selectedSource, setSelectedSource] = useState<ReturnType<typeof rowSource>>()
  const model = useMemo(
    () => createLadder(capture, { showRetransmissions, ...(leg ? { leg } : {}) }),
    [capture, showRetransmissions, leg],
  )
  const lines = useMemo(() => model.rows.map(ladderLine), [model])
  const index = Math.max(
    0,
    model.rows.findIndex((ladderRow) => rowSource(ladderRow) === selectedSource),
  )
  const row = model.rows[index]
  const selectRow = (nextIndex: number) => {
    const nextRow = model.rows[nextIndex]
    if (nextRow) setSelectedSource(rowSource(nextRow))
  }
  const tones = (Object.keys(messages.tones) as (keyof typeof messages.tones)[]).filter((tone) =>
    model.rows.some((ladderRow) => ladderRow.kind === 'message' && ladderRow.tone === tone),
  )
  return (
    <div className={part.part}>
      <div className={part.top}>
        {model.legs.length > 1 ? (
          <FilterSelect
            name={messages.leg}
            size="sm"
            inactiveValue=""
            value={leg}
            options={[
              { value: '', label: messages.allLegs },
              ...model.legs.map((ladderLeg) => ({
                value: ladderLeg.callId,
                label: messages.legName(ladderLeg.from, ladderLeg.to, ladderLeg.messages),
              })),
            ]}
            onChange={setLeg}
          />
        ) : null}
        {model.repeats > 0 ? (
          <span className={part.tick}>
            <CheckMark
              label={messages.showRetransmissions}
              checked={showRetransmissions}
              onChange={() => setShowRetransmissions(!showRetransmissions)}
            />
            <span aria-hidden="true">{messages.showRetransmissions}</span>
          </span>
        ) : null}
        <span className={part.summary} role="status">
          {summaryText(model)}
        </span>
        {children}
        <LadderLegend items={tones.map((tone) => ({ tone, label: messages.tones[tone] }))} />
      </div>
      {capture.cut ? <p className={part.cut}>{messages.damaged}</p> : null}
      <Ladder
        label={messages.list}
        timeLabel="Time"
        columnsLabel="Participants"
        columns={model.participants.map((participant) => columnOf(participant, callRow))}
        lines={lines}
        chosen={String(index)}
        onChoose={(id) => selectRow(Number(id))}
        detailLabel="Selected message"
      >
        {row ? (
          <div className={css.facts}>
            <DetailHeader
              title={titleOf(row)}
              index={index}
              count={model.rows.length}
              position={placeOf(model.rows, index)}
              texts={messages}
              {...(row.kind === 'message' ? { text: row.message.text } : {})}
              onGo={selectRow}
            />
            {row.kind === 'message' ? <MessageDetails row={row} /> : <StreamDetails row={row} />}
          </div>
        ) : null}
      </Ladder>
    </div>
  )
}

/** Returns the position among the messages. RTP rows are not counted, as in the summary. */
const placeOf = (rows: Model['rows'], index: number): string => {
  if (rows[index]?.kind !== 'message') return ''
  const count = (part: Model['rows']) => part.filter(({ kind }) => kind === 'message').length
  return messages.position(count(rows.slice(0, index + 1)), count(rows))
}

interface CaptureFileInputProps {
  file: File | undefined
  onChoose: (file: File | undefined) => void
}

/** Opens a capture from disk in place of the call's own, such as one from a carrier or made on a voice server. */
const CaptureFileInput = ({ file, onChoose }: CaptureFileInputProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <span className={css.other}>
      {file ? (
        <>
          <span className={css.file}>{file.name}</span>
          <IconButton
            icon={X}
            iconSize={14}
            size="sm"
            label={messages.backToCall}
            onClick={() => onChoose(undefined)}
          />
        </>
      ) : (
        <Button icon={FolderOpen} size="sm" variant="borderless" onClick={() => input.current?.click()}>
          {messages.openAnother}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={messages.openAnother}
        accept=".pcap,.pcapng,.cap"
        onChange={({ currentTarget }) => {
          onChoose(currentTarget.files?.[0])
          // allow the same file to be selected again
          currentTarget.value = ''
        }}
      />
    </span>
  )
}

/** Larger files are not read into the browser's memory. */
const maxFileBytes = 256 * 1024 * 1024

const readFiles = async (files: readonly Blob[], signal: AbortSignal): Promise<Capture | string> => {
  if (files.some(({ size }) => size > maxFileBytes)) return messages.tooLarge
  const capture = await readCapture(await Promise.all(files.map((file) => file.arrayBuffer())), signal)
  if (!capture) return messages.unreadable
  return capture.messages.length > 0 ? capture : messages.none
}

interface CaptureLadderProps {
  /** Distinguishes the captures in the cache. */
  name: string
  load: (signal: AbortSignal) => Promise<Blob[]>
  /** The call of the capture, if it has a record. */
  row?: RecentCall
}

/** The ladder of captured SIP messages. */
export const CaptureLadder = ({ name, load, row }: CaptureLadderProps) => {
  const [file, setFile] = useState<File>()
  const fileKey = file ? `${file.name} ${file.size} ${file.lastModified}` : ''
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['recent_call', 'packets', name, fileKey],
    queryFn: async ({ signal }) => readFiles(file ? [file] : await load(signal), signal),
    // the capture of a finished call does not change
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })
  const fileInput = <CaptureFileInput file={file} onChoose={setFile} />
  if (typeof data === 'object')
    return (
      <LadderView key={fileKey} capture={data} row={file ? undefined : row}>
        {fileInput}
      </LadderView>
    )
  return (
    <div className={part.part}>
      <div className={part.top}>{fileInput}</div>
      {data === undefined && !error ? (
        <div className={part.waiting} aria-busy="true" aria-label={messages.loading} role="status" />
      ) : null}
      {data === undefined ? null : <EmptyState icon={Inbox} title={data} />}
      {error ? (
        <FailedState message={getErrorMessage(error)} onRetry={() => void refetch()} pending={isFetching} />
      ) : null}
    </div>
  )
}

/** The SIP messages of a call and of its parent call. */
export const CallFlow = ({ row }: { row: RecentCall }) => {
  const { loadLegs } = useCallCapture(row)
  return <CaptureLadder name={`${row.sip_callid} ${row.sip_parent_callid}`} load={loadLegs} row={row} />
}
