import { account } from '@trunkline/contract/resources/account'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { useRecord } from '../../kit/record'
import { useProvider } from '../../session/provider'
import { CopyText } from '../../ui/copy'

/** Where calls from outside are to be sent: to the realm of one account, or to the provider's domain. */
export const useRealm = (account_sid: string | null): string | undefined => {
  const { current } = useProvider()
  const { data } = useRecord(account, account_sid ?? undefined)
  return (account_sid ? data?.sip_realm : current?.root_domain) ?? undefined
}

/** The hint that tells it. */
export const SendCalls = ({ realm }: { realm: string }) => (
  <span>
    {messages.sendCallsTo} <CopyText text={realm} always />
  </span>
)
