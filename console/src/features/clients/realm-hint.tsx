import { messages } from '@trunkline/contract/messages/client'
import { account } from '@trunkline/contract/resources/account'
import { useRecord } from '../../kit/record/record'
import { paths } from '../../lib/paths'
import { CopyText } from '../../ui/copy'
import { Link } from '../../ui/link'

/** The SIP realm of an account: null if it has none, undefined while loading. */
export const useRealm = (account_sid: string | null): string | null | undefined => {
  const { data } = useRecord(account, account_sid ?? undefined)
  return data && (data.sip_realm || null)
}

/** Shows the realm where the account's devices register, or a link to set it. */
export const RealmHint = ({ account_sid }: { account_sid: string }) => {
  const realm = useRealm(account_sid)
  if (realm === undefined) return null
  if (realm === null) return <Link href={paths.accounts.edit(account_sid)}>{messages.realmRequired}</Link>
  return (
    <span>
      {messages.registerAt} <CopyText text={realm} alwaysShowCopyButton />
    </span>
  )
}
