import { useSearch } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/general'
import { Copy } from 'lucide-react'
import { useProviderSid } from '../../session/current-provider'
import { useCan } from '../../session/session'
import { ButtonLink } from '../../ui/button'
import { ownerInProvider, sidOf, type AnyResource } from './record'

/** The SID of the record that the add page starts as a copy of. Undefined: the page starts empty. */
export const useCopySourceSid = (): string | undefined => {
  const { copy }: { copy?: string } = useSearch({ strict: false })
  return copy
}

/** The initial name of a copy, truncated to the maximum length of a name. */
export const createCopyName = (name: string, most = 64): string => messages.copyOf(name).slice(0, most)

export interface DuplicateButtonProps<Row> {
  resource: AnyResource<Row>
  row: Row
  /** The path of the add page of this kind. */
  add: string
}

/** Links to the add page, prefilled from this record. Renders nothing if the user may not add one. */
export const DuplicateButton = <Row,>({ resource, row, add }: DuplicateButtonProps<Row>) => {
  const can = useCan()
  const provider = useProviderSid()
  if (!can('create', resource.kind, ownerInProvider(row, provider))) return null
  return (
    <ButtonLink icon={Copy} href={`${add}?copy=${encodeURIComponent(sidOf(resource, row))}`}>
      Duplicate
    </ButtonLink>
  )
}
