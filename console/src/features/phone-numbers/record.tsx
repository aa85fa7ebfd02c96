import { RecordOverview } from '../../kit/record/record-page'
import { FailuresPanel } from '../../panels/calls/failures-panel'
import { RecentCallsPanel } from '../../panels/calls/recent-calls-panel'
import { WeekPanel } from '../../panels/calls/week-panel'
import { useNumberCalls, usePhoneNumberPage } from './page'

/** The page of a phone number. */
export const PhoneNumberRecord = ({ sid = '' }: { sid?: string }) => {
  const getCalls = useNumberCalls()
  return (
    <RecordOverview {...usePhoneNumberPage()} sid={sid}>
      {(row) => {
        const calls = getCalls(row)
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
