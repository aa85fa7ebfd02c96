import { freeQuantities, paidQuantityRanges } from '@trunkline/contract/billing/capacity'
import type { ReactNode } from 'react'
import { PlanStatus } from '../../panels/plan-status'
import { getFeatureFlags } from '../../lib/feature-flags'
import { Section } from '../../ui/form/section'
import css from './screen.module.css'

const formatRange = ({ min, max }: { min: number; max: number }) =>
  `${min.toLocaleString('en-US')} to ${max.toLocaleString('en-US')}`

interface PlanRowProps {
  plan: ReactNode
  calls: string
  devices: string
  duration: string
}

const PlanRow = ({ plan, calls, devices, duration }: PlanRowProps) => (
  <tr>
    <th scope="row">{plan}</th>
    <td>{calls}</td>
    <td>{devices}</td>
    <td>{duration}</td>
  </tr>
)

/** What the trial, the free plan and the paid plan grant. */
export const GrantedCapacities = () => {
  const { trial } = getFeatureFlags()
  const devicesPerCall = Math.round(trial.devices / trial.callSessions)
  return (
    <Section title="Plans">
      <div className={css.tableBox}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">Plan</th>
              <th scope="col">Simultaneous calls</th>
              <th scope="col">Registered devices</th>
              <th scope="col">Ends</th>
            </tr>
          </thead>
          <tbody>
            <PlanRow
              plan={<PlanStatus state="trial" />}
              calls={trial.callSessions.toLocaleString('en-US')}
              devices={trial.devices.toLocaleString('en-US')}
              duration={`After ${trial.days.toLocaleString('en-US')} ${trial.days === 1 ? 'day' : 'days'}`}
            />
            <PlanRow
              plan={<PlanStatus state="free" />}
              calls={String(freeQuantities.voice_call_session)}
              devices={String(freeQuantities.device)}
              duration="Never"
            />
            <PlanRow
              plan={<PlanStatus state="paid" />}
              calls={formatRange(paidQuantityRanges.voice_call_session)}
              devices={`${devicesPerCall} for each call, and ${formatRange(paidQuantityRanges.device)} additional`}
              duration="When the account ends it"
            />
          </tbody>
        </table>
      </div>
    </Section>
  )
}
