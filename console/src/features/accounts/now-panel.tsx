import { useQuery } from '@tanstack/react-query'
import { limitsOfAccount } from '@trunkline/contract/resources/limit'
import type { Account } from '@trunkline/contract/shapes/account'
import { Mic } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLiveCalls } from '../../panels/calls/live-calls'
import { createRegisteredClientsQuery } from '../../panels/registered-clients'
import { request } from '../../lib/client'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { namedQueryKey } from '../../lib/query-keys'
import { capabilitiesQuery, mayHaveLiveCalls } from '../../lib/server-capabilities'
import { Meter } from '../../ui/meter'
import { Panel, PanelSkeleton } from '../../ui/record/panel'
import { formatCount } from '../../ui/format-count'
import { readStoredBucket } from './bucket-values'
import css from './now-panel.module.css'
import { storageVendors } from './storage-vendors'
import { useAccountRecordCounts } from './record-counts'

interface GaugeProps {
  value: number
  /** Undefined or 0: there is no maximum. */
  max: number | undefined
  /** The words after the numbers. */
  text: string
  href: string
}

/** A number, and its share of a maximum. */
const Gauge = ({ value, max, text, href }: GaugeProps) => {
  const description = max ? `of ${formatCount(max)} ${text}` : text
  return (
    <div className={css.gauge}>
      <p>
        <a href={href}>{formatCount(value)}</a> {description}
      </p>
      {max ? <Meter value={value} max={max} label={`${formatCount(value)} ${description}`} /> : null}
    </div>
  )
}

/** The limit of concurrent calls; undefined if there is none, or it cannot be read. */
const useCallLimit = (account_sid: string) =>
  useQuery({
    queryKey: namedQueryKey('limit', 'ofAccount', account_sid),
    queryFn: ({ signal }) => request(limitsOfAccount.list, { params: { account_sid }, signal, isBackground: true }),
    meta: { suppressErrorToast: true },
  }).data?.find(({ category }) => category === 'voice_call_session')?.quantity

/** The registered devices. An account can have more of them than SIP clients, if a webhook decides who may register. */
const RegisteredClients = ({ account_sid, href }: { account_sid: string; href: string }) => {
  const { data: registered } = useQuery(createRegisteredClientsQuery(account_sid))
  const count = useAccountRecordCounts(account_sid)('client')
  if (registered === undefined || count === undefined || (registered.size === 0 && count === 0)) return null
  const isOfClients = registered.size <= count
  return (
    <Gauge
      value={registered.size}
      max={isOfClients ? count : undefined}
      text={(isOfClients ? count : registered.size) === 1 ? 'client registered' : 'clients registered'}
      href={href}
    />
  )
}

const Recording = ({ row }: { row: Account }): ReactNode => {
  if (!getFeatureFlags().callRecording || !row.record_all_calls) return null
  const storedVendor = readStoredBucket(row)?.vendor
  const vendor = storageVendors.find(({ value }) => value === storedVendor)?.label
  return (
    <p className={css.recording}>
      <Mic size={16} strokeWidth={1.75} aria-hidden="true" />
      Call recording
      <span>{vendor ? `All calls · ${vendor}` : 'All calls'}</span>
    </p>
  )
}

interface NowPanelProps {
  account_sid: string
  row: Account | undefined
  /** The account in the filter of lists. */
  filterAccount: string
}

const CurrentState = ({ account_sid, row, filterAccount }: NowPanelProps) => {
  const liveCalls = useLiveCalls(['account', account_sid])
  const limit = useCallLimit(account_sid)
  const filter = filterAccount ? { account: filterAccount } : undefined
  const createHref = (path: string, filters: Record<string, string>) =>
    `${path}?${new URLSearchParams({ ...filters, ...filter }).toString()}`
  // the server cannot list calls in progress
  if (liveCalls.isError && liveCalls.data === undefined) return null
  return (
    <Panel title="Now" span={4}>
      {liveCalls.data === undefined ? (
        <PanelSkeleton rows={2} height={64} />
      ) : (
        <>
          <Gauge
            value={liveCalls.data.length}
            max={limit}
            text={(limit || liveCalls.data.length) === 1 ? 'call in progress' : 'calls in progress'}
            href={createHref(paths.recentCalls, { show: 'live' })}
          />
          <RegisteredClients account_sid={account_sid} href={createHref(paths.clients.list, {})} />
          {row ? <Recording row={row} /> : null}
        </>
      )}
    </Panel>
  )
}

/** The calls in progress against their limit, and the registered clients. Omitted if the server does not know them. */
export const NowPanel = (props: NowPanelProps) => {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  return mayHaveLiveCalls(capabilities) ? <CurrentState {...props} /> : null
}
