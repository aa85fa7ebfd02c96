import { useQuery } from '@tanstack/react-query'
import type { Capture } from './model/capture/capture'
import { ladderOf, type Ladder as Model, type LadderRow, type MessageRow } from './model/ladder'
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
import { endText, MessageFacts, SoundFacts } from './call-flow-message'
import css from './call-flow.module.css'
import { useCaptured } from './captured-dialogue'
import { FactsHead } from '../detail/detail-header'
import part from '../detail/detail-section.module.css'

const noteOf = ({ challenge, again, repeats }: MessageRow): LadderLine['note'] => {
  if (challenge) return { icon: KeyRound, text: messages.challenge, bad: true }
  if (again) return { icon: Repeat, text: messages.retransmission }
  return repeats > 0 ? { icon: Repeat, text: messages.retransmissionCount(repeats) } : undefined
}

const asideOf = ({ credentials, session }: MessageRow) =>
  [credentials ? 'AUTH' : '', session ? messages.session : ''].filter(Boolean).join(' + ')

const timeText = (microseconds: number) => (microseconds / 1e6).toFixed(3)

const titleOf = (row: LadderRow) =>
  row.kind === 'message' ? row.title : messages.rtpStream(row.codec, durationText(row.length / 1000))

const lineOf = (row: LadderRow, at: number): LadderLine => {
  const common = { id: String(at), from: row.from, to: row.to, time: timeText(row.at), title: titleOf(row) }
  if (row.kind === 'media') {
    const { source, target } = row.streams[0]!
    return { ...common, spoken: messages.direction(endText(source), endText(target)) }
  }
  const { source, target } = row.message
  return {
    ...common,
    after: `+${durationText(row.after / 1000)}`,
    tone: row.tone,
    aside: asideOf(row),
    note: noteOf(row),
    spoken: messages.direction(endText(source), endText(target)),
  }
}

/** Returns the object that identifies a row. It stays the same when the filters of the ladder change. */
const subjectOf = (row: LadderRow) => (row.kind === 'message' ? row.message : row.streams[0])

const summaryOf = ({ rows, participants }: Model) => {
  const last = rows.reduce((most, row) => Math.max(most, row.at + (row.kind === 'media' ? row.length : 0)), 0)
  const said = rows.filter(({ kind }) => kind === 'message').length
  return messages.summary(said, participants.length, durationText((last - (rows[0]?.at ?? 0)) / 1000))
}

interface FlowProps {
  capture: Capture
  /** Record of the call. Undefined if the capture is not of this call. */
  row: RecentCall | undefined
  children: ReactNode
}

/** Shows the trunk's name for its address; other hosts are known by address only. */
const columnOf = ({ address, ports }: Model['participants'][number], row: RecentCall | undefined) => {
  const places = ports.join(', ')
  return row?.trunk && row.remote_host === address
    ? { title: row.trunk, note: `${address}:${places}` }
    : { title: address, note: places }
}

const Flow = ({ capture, row: known, children }: FlowProps) => {
  const [leg, setLeg] = useState('')
  const [again, setAgain] = useState(false)
  const [chosen, setChosen] = useState<ReturnType<typeof subjectOf>>()
  const model = useMemo(() => ladderOf(capture, { again, ...(leg ? { leg } : {}) }), [capture, again, leg])
  const lines = useMemo(() => model.rows.map(lineOf), [model])
  const at = Math.max(
    0,
    model.rows.findIndex((each) => subjectOf(each) === chosen),
  )
  const row = model.rows[at]
  const choose = (place: number) => {
    const next = model.rows[place]
    if (next) setChosen(subjectOf(next))
  }
  const tones = (Object.keys(messages.tones) as (keyof typeof messages.tones)[]).filter((tone) =>
    model.rows.some((each) => each.kind === 'message' && each.tone === tone),
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
              ...model.legs.map((each) => ({
                value: each.callId,
                label: messages.legName(each.from, each.to, each.messages),
              })),
            ]}
            onChange={setLeg}
          />
        ) : null}
        {model.repeats > 0 ? (
          <span className={part.tick}>
            <CheckMark label={messages.showRetransmissions} checked={again} onChange={() => setAgain(!again)} />
            <span aria-hidden="true">{messages.showRetransmissions}</span>
          </span>
        ) : null}
        <span className={part.summary} role="status">
          {summaryOf(model)}
        </span>
        {children}
        <LadderLegend items={tones.map((tone) => ({ tone, label: messages.tones[tone] }))} />
      </div>
      {capture.cut ? <p className={part.cut}>{messages.damaged}</p> : null}
      <Ladder
        label={messages.list}
        timeLabel="Time"
        columnsLabel="Participants"
        columns={model.participants.map((each) => columnOf(each, known))}
        lines={lines}
        chosen={String(at)}
        onChoose={(id) => choose(Number(id))}
        detailLabel="Selected message"
      >
        {row ? (
          <div className={css.facts}>
            <FactsHead
              title={titleOf(row)}
              at={at}
              all={model.rows.length}
              place={placeOf(model.rows, at)}
              words={messages}
              {...(row.kind === 'message' ? { text: row.message.text } : {})}
              onGo={choose}
            />
            {row.kind === 'message' ? <MessageFacts row={row} /> : <SoundFacts row={row} />}
          </div>
        ) : null}
      </Ladder>
    </div>
  )
}

/** Returns the position among the messages. RTP rows are not counted, as in the summary. */
const placeOf = (rows: Model['rows'], at: number): string => {
  if (rows[at]?.kind !== 'message') return ''
  const count = (part: Model['rows']) => part.filter(({ kind }) => kind === 'message').length
  return messages.position(count(rows.slice(0, at + 1)), count(rows))
}

interface OtherFileProps {
  file: File | undefined
  onChoose: (file: File | undefined) => void
}

/** Opens a capture from disk in place of the call's own, such as one from a carrier or made on a voice server. */
const OtherFile = ({ file, onChoose }: OtherFileProps) => {
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
const mostBytes = 256 * 1024 * 1024

const read = async (files: readonly Blob[], signal: AbortSignal): Promise<Capture | string> => {
  if (files.some(({ size }) => size > mostBytes)) return messages.tooLarge
  const capture = await readCapture(await Promise.all(files.map((file) => file.arrayBuffer())), signal)
  if (!capture) return messages.unreadable
  return capture.messages.length > 0 ? capture : messages.none
}

interface PacketsProps {
  /** Distinguishes the captures in the cache. */
  name: string
  load: (signal: AbortSignal) => Promise<Blob[]>
  /** The call of the capture, if it has a record. */
  row?: RecentCall
}

/** The ladder of captured SIP messages. */
export const Packets = ({ name, load, row }: PacketsProps) => {
  const [file, setFile] = useState<File>()
  const which = file ? `${file.name} ${file.size} ${file.lastModified}` : ''
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['recent_call', 'packets', name, which],
    queryFn: async ({ signal }) => read(file ? [file] : await load(signal), signal),
    // the capture of a finished call does not change
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })
  const other = <OtherFile file={file} onChoose={setFile} />
  if (typeof data === 'object')
    return (
      <Flow key={which} capture={data} row={file ? undefined : row}>
        {other}
      </Flow>
    )
  return (
    <div className={part.part}>
      <div className={part.top}>{other}</div>
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
  const { legs } = useCaptured(row)
  return <Packets name={`${row.sip_callid} ${row.sip_parent_callid}`} load={legs} row={row} />
}
