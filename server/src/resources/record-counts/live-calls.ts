import type { Actor } from '@trunkline/contract/policy/actor'
import type { RecordCounts } from '@trunkline/contract/shapes/record-counts'
import type { Services } from '../../composition/services'
import { createProviderCallCache } from '../live-calls/public'
import type { CountedRecord } from './repository'

/** Creates a function that counts the calls in progress of accounts, in the order of the accounts. */
export const createLiveCallCounter = ({
  livePlatform,
  accounts,
  limits,
}: Pick<Services, 'livePlatform' | 'accounts' | 'limits'>) => {
  const providerCalls = createProviderCallCache(livePlatform, (account_sid) => accounts.providerOf(account_sid))

  /** The calls of a provider are read once for all its accounts, and for a short time only once for all requests. */
  const listCalls = async (records: readonly CountedRecord[], actor: Actor) => {
    if (actor.scope === 'account') return livePlatform.listCalls(actor.account_sid)
    const providerSids = new Set(records.flatMap(({ service_provider_sid }) => service_provider_sid ?? []))
    return (await Promise.all([...providerSids].map((sid) => providerCalls.list(sid)))).flat()
  }

  return async (records: readonly CountedRecord[], actor: Actor): Promise<RecordCounts[string][]> => {
    const [calls, callLimits] = await Promise.all([
      listCalls(records, actor),
      limits.listOfMany(
        records.map(({ sid }) => sid),
        'voice_call_session',
      ),
    ])
    const callCounts = new Map<string, number>()
    for (const { accountSid = '' } of calls) callCounts.set(accountSid, (callCounts.get(accountSid) ?? 0) + 1)
    // A limit of 0 means that there is none.
    const limitBySid = new Map(callLimits.map(({ account_sid, quantity }) => [account_sid, quantity || null]))
    return records.map(({ sid }) => ({
      live_calls: callCounts.get(sid) ?? 0,
      call_limit: limitBySid.get(sid) ?? null,
    }))
  }
}
