import { useQuery } from '@tanstack/react-query'
import { account } from '@trunkline/contract/resources/account'
import { client } from '@trunkline/contract/resources/client'
import { user } from '@trunkline/contract/resources/user'
import { carriersOfAccount, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { countDependents } from '../../kit/record/dependents'
import { useDependents } from '../../kit/record/use-dependents'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { useRecordCount, type CountedList } from '../../panels/record-count'
import { useActor } from '../../session/session'
import { loadAccountDependents } from './lazy-dependents'

/** The number of records of a kind in an account; undefined until it is known. */
type RecordCounts = (kind: string) => number | undefined

/** The numbers of records in an account. Our server returns all of them with the dependents of the account. */
export const useAccountRecordCounts = (account_sid: string): RecordCounts => {
  const { data: dependents } = useDependents(account, { account_sid }, loadAccountDependents)
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const isOwnAccount = useActor().scope === 'account'
  const params = { account_sid }
  const useCountOfList = (list: CountedList) =>
    useRecordCount(account_sid, { isEnabled: capabilities?.dependents === false, ...list })
  const listCounts: Partial<Record<string, number | undefined>> = {
    voip_carrier: useCountOfList({
      kind: 'voip_carrier',
      // the list that account users open also contains the shared carriers
      ...(isOwnAccount
        ? { list: voipCarrier.list, hasSharedRecords: true, isEnabled: true }
        : { list: carriersOfAccount.list, params }),
    }),
    client: useCountOfList({ kind: 'client', list: client.list, query: params }),
    user: useCountOfList({ kind: 'user', list: user.list, query: params }),
  }
  return (kind) => {
    if (kind === 'voip_carrier' && isOwnAccount) return listCounts.voip_carrier
    return capabilities?.dependents || !(kind in listCounts)
      ? dependents && countDependents(dependents, kind)
      : listCounts[kind]
  }
}
