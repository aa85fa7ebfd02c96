import { messages } from '@trunkline/contract/messages/client'
import { account } from '@trunkline/contract/resources/account'
import { useRecord } from '../../kit/record'
import { paths } from '../../lib/paths'
import { CopyText } from '../../ui/copy'
import { Link } from '../../ui/link'

/** The SIP realm of an account: null when it has none, undefined while it is not known. */
export const useRealmOf = (account_sid: string | null): string | null | undefined => {
  const { data } = useRecord(account, account_sid ?? undefined)
  return data && (data.sip_realm || null)
}

/** Where the devices of an account register, or that it needs a realm first. */
export const RealmHint = ({ account_sid }: { account_sid: string }) => {
  const realm = useRealmOf(account_sid)
  if (realm === undefined) return null
  if (realm === null) return <Link href={paths.accounts.edit(account_sid)}>{messages.realmNeeded}</Link>
  return (
    <span>
      {messages.registerAt} <CopyText text={realm} always />
    </span>
  )
}
