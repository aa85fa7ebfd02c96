import type { PlanState } from '@trunkline/contract/billing/plan-state'
import { CircleCheck, CircleDot, CirclePause, Hourglass, TriangleAlert, type LucideIcon } from 'lucide-react'
import { Status, type StatusKind } from '../ui/status'

interface PlanStateLabel {
  name: string
  kind: StatusKind
  icon: LucideIcon
}

const labels: Record<PlanState, PlanStateLabel> = {
  paid: { name: 'Paid', kind: 'ok', icon: CircleCheck },
  trial: { name: 'Trial', kind: 'off', icon: Hourglass },
  trial_expired: { name: 'Trial expired', kind: 'warn', icon: TriangleAlert },
  free: { name: 'Free', kind: 'off', icon: CircleDot },
  suspended: { name: 'Suspended', kind: 'bad', icon: CirclePause },
}

/** Returns the name of a plan's state: 'Trial expired'. */
export const getPlanStateName = (state: PlanState): string => labels[state].name

/** The state of a plan as an icon and a word, the same on every screen. */
export const PlanStatus = ({ state }: { state: PlanState }) => {
  const { name, kind, icon } = labels[state]
  return (
    <Status kind={kind} icon={icon}>
      {name}
    </Status>
  )
}
