import { messages } from '@trunkline/contract/messages/payment'
import { changeSubscription } from '@trunkline/contract/resources/subscription'
import { useRecordAction } from '../../kit/record/record-mutations'
import { request } from '../../lib/client'
import { Button } from '../../ui/button'
import { toast } from '../../ui/feedback/toast'

/** Takes a scheduled downgrade back. */
export const KeepPlanButton = () => {
  const keep = useRecordAction('account', async () => {
    await request(changeSubscription, { body: { action: 'keep-paid-plan' } })
    // not in a callback of `mutate`: the refreshed plan no longer has this button
    toast.ok(messages.paidPlanKept)
  })
  return (
    <Button size="sm" pending={keep.isPending} onClick={() => keep.mutate()}>
      Keep the paid plan
    </Button>
  )
}
