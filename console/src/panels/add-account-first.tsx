import { paths } from '../lib/paths'
import { useProviderSid } from '../session/current-provider'
import { useCan } from '../session/session'
import { ButtonLink } from '../ui/button'

/** Links to the add screen of accounts, for kinds of records that need an account while there is none. */
export const AddAccountFirst = () => {
  const can = useCan()
  const service_provider_sid = useProviderSid()
  if (!can('create', 'account', { service_provider_sid, account_sid: null })) return null
  return (
    <ButtonLink variant="primary" href={paths.accounts.add}>
      Add account
    </ButtonLink>
  )
}
