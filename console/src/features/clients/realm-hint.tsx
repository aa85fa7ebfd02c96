import { messages } from '@trunkline/contract/messages/client'
import { messages as realmMessages } from '@trunkline/contract/messages/sip-realm'
import { account } from '@trunkline/contract/resources/account'
import { useRecord } from '../../kit/record/record'
import { getFeatureFlags } from '../../lib/feature-flags'
import { paths } from '../../lib/paths'
import { useActor } from '../../session/session'
import { CopyText } from '../../ui/copy'
import { Link } from '../../ui/link'

/** The SIP realm of an account: null if it has none, undefined while loading. */
export const useRealm = (account_sid: string | null): string | null | undefined => {
  const { data } = useRecord(account, account_sid ?? undefined)
  return data && (data.sip_realm || null)
}

/** The screen on which the signed-in user can set the realm of the own account; only the hosted edition has one. */
export const useOwnRealmPath = (): string | undefined => {
  const actor = useActor()
  return getFeatureFlags().hosted && actor.scope === 'account' && !actor.viewOnly
    ? paths.accounts.sipRealm(actor.account_sid)
    : undefined
}

/** The link to that screen. */
export const OwnRealmLink = () => {
  const href = useOwnRealmPath()
  return href ? <Link href={href}>{realmMessages.change}</Link> : null
}

/** Shows the realm where the account's devices register, or a link to set it. */
export const RealmHint = ({ account_sid }: { account_sid: string }) => {
  const realm = useRealm(account_sid)
  const ownRealmPath = useOwnRealmPath()
  if (realm === undefined) return null
  if (realm === null && ownRealmPath)
    return (
      <span>
        {messages.realmRequired} <OwnRealmLink />
      </span>
    )
  if (realm === null) return <Link href={paths.accounts.edit(account_sid)}>{messages.realmRequired}</Link>
  return (
    <span>
      {messages.registerAt} <CopyText text={realm} alwaysShowCopyButton />
    </span>
  )
}
