import { account } from '@trunkline/contract/resources/account'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { useRecord } from '../../kit/record/record'
import { useCurrentProvider } from '../../session/current-provider'
import { CopyText } from '../../ui/copy'

/** The domain for inbound calls: the SIP realm of the account, or the provider's domain. */
export const useInboundDomain = (account_sid: string | null): string | undefined => {
  const { current } = useCurrentProvider()
  const { data } = useRecord(account, account_sid ?? undefined)
  return (account_sid ? data?.sip_realm : current?.root_domain) ?? undefined
}

/** A hint with the domain for inbound calls. */
export const InboundDomainHint = ({ domain }: { domain: string }) => (
  <span>
    {messages.sendCallsTo} <CopyText text={domain} alwaysShowCopyButton />
  </span>
)
