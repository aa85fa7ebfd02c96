import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Resource } from '@trunkline/contract/kit/resource'
import type { Kind } from '@trunkline/contract/policy/policy'
import { requestUntyped } from '../../lib/client'
import { recordKey } from '../../lib/query-keys'
import { refreshAfterChange, saveRecord, type AnyResource, type SaveInput } from './record'

/** Creates a record (`{ draft }`) or updates one (`{ sid, changes }`). Returns its SID. The caller shows errors. */
export const useSaveRecord = <Row, Draft, Changes, Created, Path extends string, Key extends string>(
  resource: Resource<Row, Draft, Changes, Created, Path, Key>,
) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (input: SaveInput<Draft, Changes>) => saveRecord(resource, input),
    meta: { suppressErrorToast: true },
    onSuccess: () => refreshAfterChange(cache, resource.kind),
  })
}

/**
 * Deletes a record by its SID, with a body if the route needs one. `suppressErrorToast`: the caller shows errors.
 * `leaveScreen`: navigates away from the record's screen before the visible data is refetched.
 */
export const useRemoveRecord = <Row>(
  resource: AnyResource<Row>,
  {
    suppressErrorToast = false,
    leaveScreen,
  }: { suppressErrorToast?: boolean; leaveScreen?: () => Promise<unknown> } = {},
) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ sid, body }: { sid: string; body?: unknown }) =>
      requestUntyped(resource.remove, { params: { [resource.key]: sid }, body }),
    meta: { suppressErrorToast },
    onSuccess: async (_response, { sid }) => {
      await leaveScreen?.()
      cache.removeQueries({ queryKey: recordKey(resource.kind, sid) })
      return refreshAfterChange(cache, resource.kind)
    },
  })
}

/**
 * Any other request that changes records of a kind. Refetches even after an error, because some records may have
 * changed. An error shows a toast.
 */
export const useRecordAction = <Input, Result>(kind: Kind, run: (input: Input) => Promise<Result>) => {
  const cache = useQueryClient()
  return useMutation({ mutationFn: run, onSettled: () => refreshAfterChange(cache, kind) })
}
