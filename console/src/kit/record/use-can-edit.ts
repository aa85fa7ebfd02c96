import type { Kind } from '@trunkline/contract/policy/policy'
import { useProviderSid } from '../../session/current-provider'
import { useActor, useCan } from '../../session/session'
import { ownerWithDefaultProvider } from './record'

/** May this user change a record? Until it is loaded, only view-only users may not. */
export const useCanEdit = (kind: Kind | undefined, record: unknown): boolean => {
  const can = useCan()
  const { viewOnly } = useActor()
  const providerSid = useProviderSid()
  return kind === undefined || record === undefined
    ? !viewOnly
    : can('update', kind, ownerWithDefaultProvider(record, providerSid))
}
