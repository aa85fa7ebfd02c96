import { parseRecordingName, type RecordingName } from '@trunkline/contract/calls/recording'
import { messages } from '@trunkline/contract/messages/recording'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Services } from '../../composition/services'
import { checkTenantAccess } from '../../http/tenant-access'
import { conflict, notFound, Problem } from '../../http/problem'
import { requireAccountAccess, requireProviderAccess } from '../../http/event-list'
import { StorageError } from '../../ports/object-storage'
import type { RecordingFile } from '../../ports/recording-store'

type NameParams = Record<keyof RecordingName, string>

/** The account and name of a recording, which may not exist. */
export interface RecordingReference {
  account_sid: string
  name: RecordingName
}

/** Turns storage errors into 404 with the reason as text, because existing clients expect 404 for every error of a recording. */
export const withStorageErrors = async <Result>(storageRequest: Promise<Result>): Promise<Result> => {
  try {
    return await storageRequest
  } catch (error) {
    throw error instanceof StorageError ? new Problem(404, error.message) : error
  }
}

/** The name of the recording in a path. Throws 404 if it is malformed. */
export const requireRecordingName = (params: NameParams): RecordingName => {
  const name = parseRecordingName(params)
  if (!name) throw notFound()
  return name
}

/** Finds recordings by the path of their account or provider, and removes them. */
export const createRecordingLookup = ({
  recordingStore,
  accounts,
  callHistory,
}: Pick<Services, 'recordingStore' | 'accounts' | 'callHistory'>) => {
  /**
   * The accounts of a provider that have a call with this SID, starting with the account of the newest call. There may be
   * several: an account can write a record with the SID of another account's call. That must not hide the recording of the
   * other account.
   */
  const accountsWithCall = async (service_provider_sid: string, call_sid: string): Promise<string[]> => {
    const tenant = { service_provider_sid }
    const newestCall = await callHistory.findCall(tenant, { call_sid })
    if (!newestCall) return []
    const hasCall = async (account_sid: string) =>
      (await accounts.providerOf(account_sid)) === service_provider_sid &&
      (await callHistory.findCall({ account_sid }, { call_sid })) !== undefined
    const { rows } = await callHistory.listCalls(tenant, { page: 1, count: 100, text: call_sid })
    const accountSids = rows.flatMap((row) => (row.call_sid === call_sid && row.account_sid ? [row.account_sid] : []))
    const candidates = new Set([...accountSids, ...(await recordingStore.findAccounts(call_sid))])
    if (newestCall.account_sid) candidates.delete(newestCall.account_sid)
    const otherAccountSids = await Promise.all([...candidates].map(async (sid) => ((await hasCall(sid)) ? [sid] : [])))
    return [...(newestCall.account_sid ? [newestCall.account_sid] : []), ...otherAccountSids.flat()]
  }

  /** The stored recordings with this name in the accounts of a provider that have a call with its SID. */
  const findInProvider = async (service_provider_sid: string, name: RecordingName): Promise<RecordingReference[]> => {
    const accountSids = await accountsWithCall(service_provider_sid, name.call_sid)
    const references = accountSids.map((account_sid) => ({ account_sid, name }))
    const results = await Promise.allSettled(
      references.map((reference) => withStorageErrors(recordingStore.findRecording(reference.account_sid, name))),
    )
    const storedReferences = references.filter((_, index) => {
      const result = results[index]
      return result?.status === 'fulfilled' && result.value !== undefined
    })
    // An unreachable bucket of one account must not hide a recording of another.
    const failure = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
    if (storedReferences.length === 0 && failure) throw failure.reason
    return storedReferences
  }

  /**
   * Selects the recording of the account that owns the call: a foreign one under the same call SID must not replace it. If no
   * account with a recording owns the call, the first one is selected.
   */
  const selectOwnedRecording = async (references: readonly RecordingReference[]) => {
    if (references.length < 2) return references[0]
    for (const reference of references) {
      const { account_sid, name } = reference
      if (await callHistory.isCallOwner({ account_sid }, { call_sid: name.call_sid })) return reference
    }
    return references[0]
  }

  const missingRecordingProblem = async ({ account_sid, name }: RecordingReference): Promise<Problem> =>
    (await recordingStore.isKnownButMissing(account_sid, name)) ? new Problem(404, messages.otherServer) : notFound()

  return {
    /** Resolves the path of a recording below an account. Checks access to the account's calls. */
    async resolveInAccount(
      actor: Actor,
      { account_sid, ...params }: NameParams & { account_sid: string },
    ): Promise<RecordingReference> {
      await requireAccountAccess(actor, 'recent_call', account_sid, (sid) => accounts.providerOf(sid))
      return { account_sid, name: requireRecordingName(params) }
    },

    /**
     * Resolves the path of a recording below a provider. Checks access to the provider's calls. If several accounts have the
     * recording, that of the owner of the call is read, and a removal is refused with 409.
     */
    async resolveInProvider(
      actor: Actor,
      { service_provider_sid, ...params }: NameParams & { service_provider_sid: string },
      action: 'read' | 'remove',
    ): Promise<RecordingReference> {
      requireProviderAccess(actor, 'recent_call', service_provider_sid)
      const references = await findInProvider(service_provider_sid, requireRecordingName(params))
      if (action === 'remove' && references.length > 1) throw conflict(messages.ambiguous)
      const reference = await selectOwnedRecording(references)
      if (!reference) throw notFound()
      return reference
    },

    /** Throws 404 if the recording does not exist. */
    async findFile({ account_sid, name }: RecordingReference): Promise<RecordingFile> {
      const file = await withStorageErrors(recordingStore.findRecording(account_sid, name))
      if (!file) throw await missingRecordingProblem({ account_sid, name })
      return file
    },

    /** Checks permission and removes the recording. */
    async remove(actor: Actor, { account_sid, name }: RecordingReference): Promise<void> {
      const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
      checkTenantAccess(actor, 'remove', 'recent_call', { service_provider_sid, account_sid })
      if (!(await withStorageErrors(recordingStore.removeRecording(account_sid, name))))
        throw await missingRecordingProblem({ account_sid, name })
    },
  }
}

export type RecordingLookup = ReturnType<typeof createRecordingLookup>
