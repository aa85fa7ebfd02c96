import { messages } from '@trunkline/contract/messages/payment'
import { Notice } from '../../ui/notice'
import css from './payment-notice.module.css'
import type { PaymentStage } from './use-upgrade'

/** What the user should know about a payment that is not completed yet. */
export const PaymentNotice = ({ stage }: { stage: PaymentStage }) => (
  <div className={css.notices}>
    {stage === 'bank' ? (
      <Notice tone="warn" role="status" title={messages.confirmWithBank}>
        {messages.bankChecks}
      </Notice>
    ) : null}
    {stage === 'unknown' || stage === 'checking' ? (
      <Notice tone="warn" role="alert" title={messages.outcomeUnknown}>
        {messages.checkBeforePaying}
      </Notice>
    ) : null}
    {stage === 'not-paid' ? (
      <Notice tone="bad" role="alert" title={messages.notPaid}>
        {messages.payAgain}
      </Notice>
    ) : null}
  </div>
)
