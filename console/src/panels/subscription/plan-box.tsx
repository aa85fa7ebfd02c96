import { useQuery } from '@tanstack/react-query'
import { CircleDot, CirclePause, Clock, Hourglass, TriangleAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { getErrorMessage } from '../../lib/problem'
import { paths } from '../../lib/paths'
import { formatDate } from '../../lib/time'
import { meQuery } from '../../session/me-query'
import { useActor } from '../../session/session'
import { Button, ButtonLink } from '../../ui/button'
import { FieldMessage } from '../../ui/form/field-message'
import { Status } from '../../ui/status'
import { DowngradeDialog } from './downgrade-dialog'
import { KeepPlanButton } from './keep-plan-button'
import { useNextInvoice, type NextInvoice } from './next-invoice'
import { toOwnPlan, type OwnPlan } from './own-plan'
import css from './plan-box.module.css'
import { isTrialEnding, PlanFacts } from './plan-facts'
import { PlanNotice } from './plan-notice'
import { CardLine } from './saved-card'

const PlanStatus = ({ plan: { state, trialEndDate, pending, subscription } }: { plan: OwnPlan }): ReactNode => {
  switch (state) {
    case 'trial':
      return (
        <Status kind={isTrialEnding(trialEndDate) ? 'warn' : 'off'} icon={Hourglass}>
          Trial
        </Status>
      )
    case 'trial_expired':
      return (
        <Status kind="warn" icon={TriangleAlert}>
          Trial expired
        </Status>
      )
    case 'free':
      return (
        <Status kind="off" icon={CircleDot}>
          Free
        </Status>
      )
    case 'suspended':
      return (
        <Status kind="bad" icon={CirclePause}>
          Suspended
        </Status>
      )
    case 'paid':
      return (
        <>
          <Status kind="ok">Paid</Status>
          {subscription?.ends_at ? (
            <Status kind="warn" icon={Clock}>
              Ends {formatDate(subscription.ends_at)}
            </Status>
          ) : pending ? (
            <Status kind="warn" icon={Clock}>
              Change pending
            </Status>
          ) : null}
        </>
      )
  }
}

/** The main action of each state. */
const PlanAction = ({ plan: { state, subscription }, accountSid }: { plan: OwnPlan; accountSid: string }) => {
  const { subscription: upgradePath, modifySubscription, managePayment } = paths.accounts
  if (state === 'suspended')
    return (
      <ButtonLink size="sm" variant="primary" href={managePayment(accountSid)}>
        Change Payment Info
      </ButtonLink>
    )
  if (state !== 'paid')
    return (
      <ButtonLink size="sm" variant={state === 'free' ? 'plain' : 'primary'} href={upgradePath(accountSid)}>
        Upgrade
      </ButtonLink>
    )
  if (subscription?.ends_at) return <KeepPlanButton />
  return (
    <ButtonLink size="sm" href={modifySubscription(accountSid)}>
      Change capacity
    </ButtonLink>
  )
}

interface LoadedPlanProps {
  plan: OwnPlan
  accountSid: string
}

/** The card that pays, and rarer actions. */
const PlanFooter = ({ plan, accountSid, invoice }: LoadedPlanProps & { invoice: NextInvoice }) => {
  const { viewOnly } = useActor()
  const [isDowngrading, setIsDowngrading] = useState(false)
  const { subscription } = plan
  return (
    <footer className={css.footer}>
      {subscription?.last4 ? <CardLine {...subscription} /> : null}
      {viewOnly ? null : (
        <div className={css.end}>
          {subscription?.ends_at ? null : (
            <Button size="sm" variant="borderless" onClick={() => setIsDowngrading(true)}>
              Downgrade to free plan
            </Button>
          )}
          <ButtonLink size="sm" variant="borderless" href={paths.accounts.managePayment(accountSid)}>
            Manage payment
          </ButtonLink>
        </div>
      )}
      {isDowngrading ? <DowngradeDialog {...{ plan, invoice }} onClose={() => setIsDowngrading(false)} /> : null}
    </footer>
  )
}

const LoadedPlan = ({ plan, accountSid }: LoadedPlanProps) => {
  const { viewOnly } = useActor()
  const invoice = useNextInvoice(plan)
  return (
    <>
      <header className={css.header}>
        <h2>Plan</h2>
        <PlanStatus plan={plan} />
        {viewOnly ? null : (
          <div className={css.actions}>
            <PlanAction {...{ plan, accountSid }} />
          </div>
        )}
      </header>
      <PlanNotice {...{ plan, accountSid }} />
      {plan.state === 'trial_expired' ? null : <PlanFacts {...{ plan, invoice }} />}
      {plan.planType === 'paid' ? <PlanFooter {...{ plan, accountSid, invoice }} /> : null}
    </>
  )
}

/** The plan of the user's own account in the hosted edition. */
export const OwnPlanBox = ({ accountSid }: { accountSid: string }) => {
  const { data, error, refetch, isFetching } = useQuery({ ...meQuery, refetchOnMount: 'always' })
  return (
    <section className={css.box} data-box aria-label="Plan" aria-busy={!data && !error ? true : undefined}>
      {data ? (
        <LoadedPlan plan={toOwnPlan(data)} accountSid={accountSid} />
      ) : (
        <header className={css.header}>
          <h2>Plan</h2>
          {error ? (
            <>
              <FieldMessage>{getErrorMessage(error)}</FieldMessage>
              <div className={css.actions}>
                <Button size="sm" pending={isFetching} onClick={() => void refetch()}>
                  Try again
                </Button>
              </div>
            </>
          ) : (
            <span className={css.skeleton} aria-hidden="true" />
          )}
        </header>
      )}
    </section>
  )
}
