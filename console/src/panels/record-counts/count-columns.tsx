import { useQuery } from '@tanstack/react-query'
import type { Account } from '@trunkline/contract/shapes/account'
import type { Application } from '@trunkline/contract/shapes/application'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import type { CountedKind, CountFigure, RecordCounts } from '@trunkline/contract/shapes/record-counts'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import type { ReactNode } from 'react'
import type { ColumnContext, CreateColumns, FetchExportValues, ListColumn } from '../../kit/list/list-column'
import { formatShortTimestamp, serializeOpenRange } from '../../lib/call-times'
import { paths } from '../../lib/paths'
import { toDialableNumber } from '../../lib/phone-number'
import { Link } from '../../ui/link'
import { Muted } from '../../ui/muted'
import { createRecordCountsQuery, fetchAllCounts, type CountedPage } from './record-counts-query'

type Counts = RecordCounts[string]

const dayMs = 86_400_000

/** What the columns need to know of a kind of record. */
interface CountedKindOptions<Row> {
  kind: CountedKind
  sidOf: (row: Row) => string
  /** The filters of the list of calls that select those of a record. */
  callFilters: (row: Row) => Record<string, string>
}

/** What the columns need to know of a kind of record that phone numbers refer to. */
interface NumberOwnerOptions<Row> extends CountedKindOptions<Row> {
  /** The filters of the list of phone numbers. */
  numberFilters: (row: Row) => Record<string, string>
}

/** A column, and the figure that its cells request. */
interface CountColumn<Row> {
  id: keyof Counts
  head: string
  width: number
  figure: CountFigure
  /** `countedAt`: milliseconds since 1970. */
  render: (counts: Counts, row: Row, countedAt: number) => ReactNode
}

const createHref = (path: string, filters: Record<string, string>) =>
  `${path}?${new URLSearchParams(filters).toString()}`

const unknown = <Muted isEmptyValue>Unknown</Muted>

/** A number that links to the list of what was counted. */
const CountText = ({ count, limit, href }: { count: number | undefined; limit?: number | null; href?: string }) => {
  if (count === undefined) return unknown
  const text = [count, ...(limit ? [limit] : [])].map((value) => value.toLocaleString('en-US')).join(' of ')
  if (count === 0) return <Muted>{text}</Muted>
  return href ? (
    <Link href={href} muted>
      {text}
    </Link>
  ) : (
    text
  )
}

interface CallCountProps {
  count: number | undefined
  days: number
  /** Milliseconds since 1970. */
  countedAt: number
  filters: Record<string, string>
}

/** A number of calls that links to the list of them. */
const CallCount = ({ count, days, countedAt, filters }: CallCountProps) => {
  const date = serializeOpenRange(new Date(countedAt - days * dayMs))
  return <CountText count={count} href={createHref(paths.recentCalls, { date, ...filters })} />
}

/** The time of the latest call. Some stores only find the calls of the period that is counted. */
const LatestCall = ({ last_call_at, calls_24h }: Counts) => {
  if (last_call_at) return <span title={last_call_at}>{formatShortTimestamp(last_call_at)}</span>
  if (last_call_at === null) return <Muted isEmptyValue>None in 30 days</Muted>
  return calls_24h === 0 ? <Muted isEmptyValue>None in 24 hours</Muted> : unknown
}

interface CountCellProps {
  page: CountedPage
  sid: string
  children: (counts: Counts, countedAt: number) => ReactNode
}

/** The figures of one row. The cells of a page share one request, which is sent when the rows are visible. */
const CountCell = ({ page, sid, children }: CountCellProps) => {
  const { data, dataUpdatedAt, isPending, isPlaceholderData } = useQuery(createRecordCountsQuery(page))
  const counts = data?.[sid]
  if (counts) return children(counts, dataUpdatedAt || Date.now())
  return isPending || isPlaceholderData ? <Muted isEmptyValue>…</Muted> : unknown
}

const listCountColumns = <Row,>({ callFilters, numberFilters }: NumberOwnerOptions<Row>): CountColumn<Row>[] => [
  {
    id: 'phone_numbers',
    head: 'Phone numbers',
    width: 128,
    figure: 'phone_numbers',
    render: ({ phone_numbers }, row) => (
      <CountText count={phone_numbers} href={createHref(paths.phoneNumbers.list, numberFilters(row))} />
    ),
  },
  {
    id: 'calls_24h',
    head: 'Calls in 24 hours',
    width: 136,
    figure: 'calls',
    render: ({ calls_24h }, row, countedAt) => (
      <CallCount count={calls_24h} days={1} countedAt={countedAt} filters={callFilters(row)} />
    ),
  },
  {
    id: 'last_call_at',
    head: 'Last call',
    width: 152,
    figure: 'calls',
    render: (counts) => <LatestCall {...counts} />,
  },
]

const liveCallColumn: CountColumn<Account> = {
  id: 'live_calls',
  head: 'Calls in progress',
  width: 136,
  figure: 'live_calls',
  render: ({ live_calls, call_limit }, { account_sid }) => (
    <CountText
      count={live_calls}
      limit={call_limit}
      href={createHref(paths.recentCalls, { show: 'live', account: account_sid })}
    />
  ),
}

/** Creates the columns for the rows of a page. Servers without this capability have none of them. */
const createCountColumns = <Row,>(
  { rows, updatedAt, visibleColumns, capabilities }: ColumnContext<Row>,
  { kind, sidOf }: CountedKindOptions<Row>,
  columns: CountColumn<Row>[],
): ListColumn<Row>[] => {
  if (!capabilities.recordCounts) return []
  const selectedColumns = columns.filter(({ id }) => visibleColumns.includes(id))
  const page = {
    kind,
    sids: rows.map(sidOf),
    figures: [...new Set(selectedColumns.map(({ figure }) => figure))],
    updatedAt,
  }
  const fetchExportValues: FetchExportValues<Row> = async (exportedRows, signal) => {
    const counts = await fetchAllCounts(page, exportedRows.map(sidOf), signal)
    return exportedRows.map((row) =>
      Object.fromEntries(selectedColumns.map(({ id }) => [id, counts[sidOf(row)]?.[id] ?? null])),
    )
  }
  return columns.map(({ id, head, width, render }) => ({
    id,
    head,
    width,
    align: 'end',
    isOptional: true,
    fetchExportValues,
    cell: (row) => (
      <CountCell page={page} sid={sidOf(row)}>
        {(counts, countedAt) => render(counts, row, countedAt)}
      </CountCell>
    ),
  }))
}

const accountOptions: NumberOwnerOptions<Account> = {
  kind: 'account',
  sidOf: ({ account_sid }) => account_sid,
  callFilters: ({ account_sid }) => ({ account: account_sid }),
  numberFilters: ({ account_sid }) => ({ account: account_sid }),
}

const carrierOptions: NumberOwnerOptions<VoipCarrier> = {
  kind: 'voip_carrier',
  sidOf: ({ voip_carrier_sid }) => voip_carrier_sid,
  // call records name the carrier, not its SID
  callFilters: ({ name }) => ({ trunk: name }),
  numberFilters: ({ voip_carrier_sid }) => ({ carrier: voip_carrier_sid }),
}

const applicationOptions: NumberOwnerOptions<Application> = {
  kind: 'application',
  sidOf: ({ application_sid }) => application_sid,
  callFilters: ({ application_sid }) => ({ application: application_sid }),
  numberFilters: ({ application_sid }) => ({ application: application_sid }),
}

const numberOptions: CountedKindOptions<PhoneNumber> = {
  kind: 'phone_number',
  sidOf: ({ phone_number_sid }) => phone_number_sid,
  // call records contain the number, not the SID of its record
  callFilters: ({ number }) => ({ number: toDialableNumber(number) }),
}

const weekCallsColumn: CountColumn<PhoneNumber> = {
  id: 'calls_7d',
  head: 'Calls in 7 days',
  width: 128,
  figure: 'calls',
  render: ({ calls_7d }, row, countedAt) => (
    <CallCount count={calls_7d} days={7} countedAt={countedAt} filters={numberOptions.callFilters(row)} />
  ),
}

/** The optional columns of the list of accounts. */
export const accountColumns: CreateColumns<Account> = (context) =>
  createCountColumns(context, accountOptions, [
    ...listCountColumns(accountOptions),
    ...(context.capabilities.live ? [liveCallColumn] : []),
  ])

/** The optional columns of the list of carriers. */
export const carrierColumns: CreateColumns<VoipCarrier> = (context) =>
  createCountColumns(context, carrierOptions, listCountColumns(carrierOptions))

/** The optional columns of the list of applications. */
export const applicationColumns: CreateColumns<Application> = (context) =>
  createCountColumns(context, applicationOptions, listCountColumns(applicationOptions))

/** The optional columns of the list of phone numbers. */
export const phoneNumberColumns: CreateColumns<PhoneNumber> = (context) =>
  createCountColumns(context, numberOptions, [weekCallsColumn])
