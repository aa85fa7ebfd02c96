import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { AlertGroup, RecentCall } from '@trunkline/contract/shapes/recent-call'
import {
  AudioLines,
  Building2,
  LayoutGrid,
  PhoneCall,
  PhoneOutgoing,
  Server,
  Split,
  type LucideIcon,
} from 'lucide-react'
import { getVendorName } from '@trunkline/contract/speech/vendors'
import type { ReactNode } from 'react'
import { RecordName } from '../../kit/record/record-name'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { namedQueryKey } from '../../lib/query-keys'
import { callSource, createCallPath } from '../../panels/calls/call-source'
import { TrunkName } from '../../panels/calls/trunk-name'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Link } from '../../ui/link'
import { createPeriodPath } from './alert-links'
import css from './group-details.module.css'

/** A call is found if it started within this number of days. */
const maxCallDays = 30

/** The call that an alert is about; null if its subject is not a call of this tenant. */
const useTargetCall = (target_sid: string | null) => {
  const actor = useActor()
  const source = callSource(actor, useProviderSid(), '', useQueryClient())
  const { data = null } = useQuery({
    queryKey: namedQueryKey('recent_call', 'withSid', ...source.key, target_sid ?? ''),
    queryFn: async ({ signal }): Promise<RecentCall | null> => {
      const query = { page: 1, count: 1, days: maxCallDays, filter: target_sid ?? '' }
      const { rows } = await source.fetch(query, { signal, isBackground: true })
      return rows.find(({ call_sid }) => call_sid === target_sid) ?? null
    },
    enabled: Boolean(target_sid),
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })
  return data
}

const Item = ({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) => (
  <li>
    <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
    <span>{children}</span>
  </li>
)

/** Links to the parts of a call that may have caused the alert: its application and its carrier. */
const CallItems = ({ call, account }: { call: RecentCall; account: string }) => (
  <>
    <Item icon={PhoneCall}>
      <Link href={createCallPath(call, account)}>The call of the newest alert</Link>
    </Item>
    {call.application_sid ? (
      <Item icon={LayoutGrid}>
        Application <RecordName kind="application" row={call} link />
      </Item>
    ) : null}
    {call.trunk ? (
      <Item icon={Server}>
        Carrier <TrunkName row={call} />
      </Item>
    ) : null}
  </>
)

const withText = (path: string, text: string | null) =>
  text ? `${path}?${new URLSearchParams({ text }).toString()}` : path

/** Links to the settings that alerts of a type are about. */
const TypeItems = ({ row }: { row: AlertGroup }) => {
  const { alert_type, vendor, account_sid, accounts } = row
  const type = alert_type ?? ''
  const isAdmin = useActor().scope === 'admin'
  if (/^(no-)?(tts|stt|llm)\b/.test(type))
    return (
      <Item icon={AudioLines}>
        <Link href={withText(paths.speech.list, vendor)}>
          {vendor ? `Speech services of ${getVendorName(vendor)}` : 'Speech services'}
        </Link>
      </Item>
    )
  if (type === 'no-carrier')
    return (
      <>
        <Item icon={Server}>
          <Link href={paths.carriers.list}>Carriers</Link>
        </Item>
        {getFeatureFlags().leastCostRouting && isAdmin ? (
          <Item icon={Split}>
            <Link href={paths.lcrs.list}>Outbound call routing</Link>
          </Item>
        ) : null}
      </>
    )
  if (/^account-.*-limit$/.test(type) && account_sid && accounts === 1)
    return (
      <Item icon={Building2}>
        Limits of <RecordName kind="account" row={row} link />
      </Item>
    )
  return null
}

/** Links to what may have caused the alerts of a group. `account`: the account of all of them, or ''. */
export const Investigate = ({ row, account }: { row: AlertGroup; account: string }) => {
  const call = useTargetCall(row.target_sid)
  const periodPath = createPeriodPath(row.first, row.time, account)
  return (
    <section aria-label="Investigate">
      <h2>Investigate</h2>
      <ul className={css.links}>
        {call ? <CallItems call={call} account={account} /> : null}
        <TypeItems row={row} />
        {periodPath ? (
          <Item icon={PhoneOutgoing}>
            <Link href={periodPath}>{row.count > 1 ? 'Calls of this period' : 'Calls at that time'}</Link>
          </Item>
        ) : null}
      </ul>
    </section>
  )
}
