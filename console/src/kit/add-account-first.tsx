import { paths } from '../lib/paths'
import { useProviderSid } from '../session/provider'
import { useCan } from '../session/session'
import { ButtonLink } from '../ui/button'

/** Leads to the add page of accounts, for records that belong to an account while there is none. */
export const AddAccountFirst = () => {
  const can = useCan()
  const service_provider_sid = useProviderSid()
  if (!can('create', 'account', { service_provider_sid, account_sid: null })) return null
  return (
    <ButtonLink look="primary" href={paths.accounts.add}>
      Add account
    </ButtonLink>
  )
}
