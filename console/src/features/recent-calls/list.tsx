import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { late } from '../../ui/late'
import { abilitiesQuery, mayBeLive } from '../../lib/abilities'
import type { Look } from '../../kit/paging'
import { TimedList, type TimedPick } from '../../kit/timed-list'
import { isInstant } from '../../lib/call-times'
import { soughtInCalls } from '../../lib/phone'
import { useProviderSid } from '../../session/provider'
import { useActor } from '../../session/session'
import { CallCard, columnsOf } from './cells'
import { unsaid } from './sip-reason'
import { callKey, callsBelow } from './source'

const Overview = late(() => import('./overview').then((it) => it.Overview))
const InProgress = late(() => import('./in-progress').then((it) => it.InProgress))
const Opened = late(() => import('./opened').then((it) => it.OpenedCall))

const picks: TimedPick[] = [
  {
    id: 'direction',
    name: 'Direction',
    options: [
      { value: '', label: 'either' },
      { value: 'inbound', label: 'inbound only' },
      { value: 'outbound', label: 'outbound only' },
    ],
  },
  {
    id: 'status',
    name: 'Status',
    options: [
      { value: '', label: 'all' },
      { value: 'answered', label: 'answered' },
      { value: 'not-answered', label: 'not answered' },
    ],
  },
]
/** Chosen in the overview. */
const sipPick: TimedPick = {
  id: 'sip',
  name: 'SIP status',
  options: [
    { value: '', label: 'any' },
    { value: '0', label: unsaid },
  ],
  elsewhere: /^\d{1,9}$/,
}

const filtersOf = ({ text, picks: { direction, status } }: Look) => ({
  ...(direction ? { direction } : {}),
  ...(status ? { answered: String(status === 'answered') } : {}),
  ...(text ? { filter: soughtInCalls(text) } : {}),
})

const withStatus = (look: Look) => {
  const { sip } = look.picks
  return { ...filtersOf(look), ...(sip ? { sip_status: sip } : {}) }
}

/** The calls that have ended, of an account or of all accounts of the current provider. */
export const RecentCallList = () => {
  const actor = useActor()
  const provider = useProviderSid()
  const cache = useQueryClient()
  const { data: able } = useQuery(abilitiesQuery)
  const ofOneAccount = ({ account }: Look) => actor.scope === 'account' || account !== ''
  return (
    <TimedList<RecentCall>
      kind="recent_call"
      title="Recent calls"
      noun={{ one: 'call', many: 'calls' }}
      source={(account) => callsBelow(actor, provider, account, cache)}
      filters={able?.overview ? withStatus : filtersOf}
      picks={able?.overview ? [...picks, sipPick] : picks}
      above={(view) => {
        const { key } = callsBelow(actor, provider, view.look.account, cache)
        return (
          <Suspense fallback={null}>
            {mayBeLive(able) && (able?.live || key[0] === 'account') && !isInstant(view.look.picks.date ?? '') ? (
              <InProgress of={key} />
            ) : null}
            {able?.overview && !view.empty ? <Overview of={key} view={view} /> : null}
          </Suspense>
        )
      }}
      text
      columns={(look) => columnsOf(ofOneAccount(look))}
      rowKey={callKey}
      alias={({ call_sid }) => call_sid}
      card={(row, look) => <CallCard row={row} oneAccount={ofOneAccount(look)} />}
      detail={(row, { picks: { open } }) => (
        <Suspense fallback={null}>
          <Opened row={row} open={open} />
        </Suspense>
      )}
    />
  )
}
