import { useInfiniteQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/capture'
import { capturedDialogs } from '@trunkline/contract/resources/capture'
import type { CapturedDialog } from '@trunkline/contract/shapes/capture'
import { Inbox } from 'lucide-react'
import { PhoneNumberText } from '../../../panels/phone-number'
import { formatTimestamp } from '../../../lib/call-times'
import { request } from '../../../lib/client'
import { paths } from '../../../lib/paths'
import { toCallSearchText } from '../../../lib/number-search'
import { getErrorMessage } from '../../../lib/problem'
import { namedQueryKey } from '../../../lib/query-keys'
import { Button } from '../../../ui/button'
import { DataTable } from '../../../ui/table/data-table'
import type { Column } from '../../../ui/table/table-props'
import { EmptyState } from '../../../ui/feedback/empty-state'
import { FailedState } from '../../../ui/feedback/failed-state'
import { FilterSelect } from '../../../ui/table/filter-select'
import { Muted } from '../../../ui/muted'
import { Status, type StatusKind } from '../../../ui/status'
import css from './captured-sip.module.css'

/** Shows a phone number without its host, which is usually the platform's, and any other user with the host. */
const Party = ({ uri }: { uri: string | null }) => {
  const [user = ''] = (uri ?? '').split('@')
  return <span title={uri ?? ''}>{/^\+?\d+$/.test(user) ? <PhoneNumberText number={user} /> : uri}</span>
}

const getStatusKind = (status: number): StatusKind =>
  status < 200 ? 'off' : status < 300 ? 'ok' : status < 400 ? 'warn' : 'bad'

const ResponseStatus = ({ row: { sip_status, reason } }: { row: CapturedDialog }) =>
  sip_status === null ? (
    <Status kind="off">{messages.noResponse}</Status>
  ) : (
    <Status kind={getStatusKind(sip_status)}>{[sip_status, reason].filter(Boolean).join(' ')}</Status>
  )

const columns: Column<CapturedDialog>[] = [
  { id: 'date', head: 'Date', width: 184, mono: true, cell: ({ first_at }) => formatTimestamp(first_at) },
  { id: 'method', head: 'Method', width: 108, cell: ({ method }) => method },
  { id: 'from', head: 'From', width: 176, mono: true, cell: ({ from }) => <Party uri={from} /> },
  { id: 'to', head: 'To', width: 176, mono: true, cell: ({ to }) => <Party uri={to} /> },
  { id: 'response', head: 'Response', width: 248, cell: (row) => <ResponseStatus row={row} /> },
  { id: 'source', head: 'Source', width: 176, mono: true, dropOrder: 2, cell: ({ source }) => source },
  { id: 'call_id', head: 'Call-ID', mono: true, mutedText: true, dropOrder: 1, cell: ({ call_id }) => call_id },
]

/** A SIP dialog as a card, for a narrow window. */
const SipDialogCard = ({ row }: { row: CapturedDialog }) => (
  <span className={css.card}>
    <span>
      {row.method} <ResponseStatus row={row} />
    </span>
    <span className={css.parties}>
      <bdi>
        <Party uri={row.from} />
      </bdi>{' '}
      →{' '}
      <bdi>
        <Party uri={row.to} />
      </bdi>
    </span>
    <span className={css.parties}>{row.call_id}</span>
  </span>
)

const dialogTypeOptions = [
  { value: '', label: 'all' },
  { value: 'register', label: 'registrations' },
  { value: 'invite', label: 'calls and other requests' },
]

const getCallFlowUrl = ({ call_id }: CapturedDialog) =>
  `${paths.captures}?${new URLSearchParams({ call_id }).toString()}`

/** Removes duplicates: a SIP dialog appears again on the next page if some of its messages were stored earlier. */
const removeDuplicateRows = (rows: readonly CapturedDialog[]): CapturedDialog[] =>
  [...new Map(rows.toReversed().map((row) => [row.call_id, row])).values()].toReversed()

const useSipDialogs = (text: string, dialogType: string) =>
  useInfiniteQuery({
    queryKey: namedQueryKey('capture', 'search', text, dialogType),
    queryFn: ({ pageParam, signal }) =>
      request(capturedDialogs, {
        query: {
          ...(text ? { filter: toCallSearchText(text) } : {}),
          ...(dialogType ? { dialogue: dialogType } : {}),
          ...(pageParam ? { before: pageParam } : {}),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    meta: { suppressErrorToast: true },
  })

const SipDialogRows = ({ text, dialogType }: { text: string; dialogType: string }) => {
  const { data, error, refetch, isFetching, hasNextPage, fetchNextPage } = useSipDialogs(text, dialogType)
  const rows = removeDuplicateRows(data?.pages.flatMap((page) => page.data) ?? [])
  if (error && !data)
    return <FailedState message={getErrorMessage(error)} onRetry={() => void refetch()} pending={isFetching} />
  const renderMoreButton = (label: string) =>
    hasNextPage ? (
      <Button pending={isFetching} onClick={() => void fetchNextPage()}>
        {label}
      </Button>
    ) : null
  if (data && rows.length === 0) {
    const emptyTitle = text || dialogType ? messages.noMatch : messages.emptyList
    return (
      <EmptyState icon={Inbox} title={hasNextPage ? messages.noMatchYet : emptyTitle}>
        {renderMoreButton('Search older')}
      </EmptyState>
    )
  }
  return (
    <>
      <DataTable
        label={messages.title}
        columns={columns}
        rows={rows}
        rowKey={({ call_id }) => call_id}
        rowName={({ call_id }) => call_id}
        rowHref={getCallFlowUrl}
        loading={data === undefined}
        card={(row) => <SipDialogCard row={row} />}
      />
      {hasNextPage ? (
        <div className={css.listEnd}>
          {renderMoreButton('Show older')}
          {text ? <Muted>{messages.newestSearched}</Muted> : null}
        </div>
      ) : null}
    </>
  )
}

interface SipDialogListProps {
  text: string
  dialogType: string
  onChange: (search: Record<string, string>) => void
}

/** Captured SIP dialogs of the whole platform, newest first. */
export const SipDialogList = ({ text, dialogType, onChange }: SipDialogListProps) => (
  <>
    <div className={css.filters}>
      <FilterSelect
        name="SIP dialogs"
        inactiveValue=""
        value={dialogType}
        options={dialogTypeOptions}
        onChange={(value) => onChange({ text, dialogue: value })}
      />
      {text ? (
        <Button variant="borderless" onClick={() => onChange({ dialogue: dialogType })}>
          Clear search
        </Button>
      ) : null}
    </div>
    <SipDialogRows {...{ text, dialogType }} />
  </>
)
