import { Plus } from 'lucide-react'
import { useProviderSid } from '../../session/current-provider'
import { useActor, useCan } from '../../session/session'
import { ButtonLink } from '../../ui/button'
import { getNewRecordOwner } from './list-query'
import { useScreenActions } from '../record/screen-actions'
import type { AnyResource } from '../record/record'

/**
 * The add button, if the user may add. While rows are selected it is not primary, because their actions are the next
 * step.
 */
export const useAddButton = <Row,>(
  { kind }: AnyResource<Row>,
  add: { href: string; label: string } | undefined,
  hasSelection: boolean,
) => {
  const can = useCan()
  const owner = getNewRecordOwner(useActor(), useProviderSid())
  const isAllowed = add !== undefined && can('create', kind, owner)
  useScreenActions(isAllowed ? [{ icon: Plus, label: add.label, href: add.href, keys: ['C'] }] : [])
  if (!isAllowed) return null
  return (
    <ButtonLink variant={hasSelection ? 'plain' : 'primary'} icon={Plus} href={add.href} aria-keyshortcuts="c">
      {add.label}
    </ButtonLink>
  )
}
