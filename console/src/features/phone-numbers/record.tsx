import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { RecordOverview } from '../../kit/record/record-page'
import { toStoredNumber } from '../../lib/phone-number'
import { FailuresPanel } from '../../panels/calls/failures-panel'
import { RecentCallsPanel } from '../../panels/calls/recent-calls-panel'
import type { RecordCalls } from '../../panels/calls/record-calls'
import { WeekPanel } from '../../panels/calls/week-panel'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { usePhoneNumberPage } from './page'

/** The calls from and to a number. Call records contain the number, not the SID of its record. */
const useNumberCalls = () => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  return ({ number }: PhoneNumber): RecordCalls => {
    const text = toStoredNumber(String(number))
    return {
      scope: actor.scope === 'account' ? ['account', actor.account_sid] : ['provider', service_provider_sid],
      filters: { filter: text },
      search: { text },
    }
  }
}

/** The page of a phone number. */
export const PhoneNumberRecord = ({ sid = '' }: { sid?: string }) => {
  const getCalls = useNumberCalls()
  return (
    <RecordOverview {...usePhoneNumberPage()} sid={sid}>
      {(row) => {
        const calls = row?.number ? getCalls(row) : undefined
        return (
          <>
            <WeekPanel calls={calls} />
            <FailuresPanel calls={calls} />
            <RecentCallsPanel calls={calls} span={12} />
          </>
        )
      }}
    </RecordOverview>
  )
}
