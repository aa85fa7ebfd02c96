import { useQuery } from '@tanstack/react-query'
import type { Capture } from './model/capture/capture'
import { messages } from '@trunkline/contract/messages/call-flow'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { FolderOpen, Inbox, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { getErrorMessage } from '../../../lib/problem'
import { namedQueryKey } from '../../../lib/query-keys'
import { readCapture } from './read-capture'
import { Button, IconButton } from '../../../ui/button'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { FailedState } from '../../../ui/feedback/failed-state'
import css from './call-flow.module.css'
import { LadderView } from './ladder-view'
import { useCallCapture } from './call-capture'
import sectionCss from '../detail/detail-section.module.css'

interface CaptureFileInputProps {
  file: File | undefined
  onSelect: (file: File | undefined) => void
}

/** Opens a capture from disk in place of the call's own, such as one from a carrier or made on a voice server. */
const CaptureFileInput = ({ file, onSelect }: CaptureFileInputProps) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <span className={css.fileInput}>
      {file ? (
        <>
          <span className={css.fileName}>{file.name}</span>
          <IconButton
            icon={X}
            iconSize={14}
            size="sm"
            label={messages.backToCall}
            onClick={() => onSelect(undefined)}
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
          onSelect(currentTarget.files?.[0])
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
  /** Identifies the capture in the query cache. */
  cacheKey: string
  load: (signal: AbortSignal) => Promise<Blob[]>
  /** The call of the capture, if it has a record. */
  row?: RecentCall
}

/** The ladder of captured SIP messages. */
export const CaptureLadder = ({ cacheKey, load, row }: CaptureLadderProps) => {
  const [file, setFile] = useState<File>()
  const fileKey = file ? `${file.name} ${file.size} ${file.lastModified}` : ''
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: namedQueryKey('recent_call', 'packets', cacheKey, fileKey),
    queryFn: async ({ signal }) => readFiles(file ? [file] : await load(signal), signal),
    // the capture of a finished call does not change
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })
  const fileInput = <CaptureFileInput file={file} onSelect={setFile} />
  if (typeof data === 'object')
    return (
      <LadderView key={fileKey} capture={data} call={file ? undefined : row}>
        {fileInput}
      </LadderView>
    )
  return (
    <div className={sectionCss.section}>
      <div className={sectionCss.toolbar}>{fileInput}</div>
      {data === undefined && !error ? (
        <div className={sectionCss.placeholder} aria-busy="true" aria-label={messages.loading} role="status" />
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
  const { loadLegCaptures } = useCallCapture(row)
  return <CaptureLadder cacheKey={`${row.sip_callid} ${row.sip_parent_callid}`} load={loadLegCaptures} row={row} />
}
