import { useSearch } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/general'
import { Copy } from 'lucide-react'
import { useProviderSid } from '../../session/current-provider'
import { useCan } from '../../session/session'
import { ButtonLink } from '../../ui/button'
import { ownerWithDefaultProvider, sidOf, type AnyResource } from './record'

/** The SID of the record to copy on the add screen, or undefined for an empty form. */
export const useCopySourceSid = (): string | undefined => {
  const { copy }: { copy?: string } = useSearch({ strict: false })
  return copy
}

/** The initial name of a copy, truncated to `maxLength` characters. */
export const createCopyName = (name: string, maxLength = 64): string => messages.copyOf(name).slice(0, maxLength)

export interface CopyRecordButtonProps<Row> {
  resource: AnyResource<Row>
  row: Row
  /** The path of the add screen for this kind of record. */
  addPath: string
}

/** Links to the add screen, with the form filled in from this record. Hidden if the user may not add such a record. */
export const CopyRecordButton = <Row,>({ resource, row, addPath }: CopyRecordButtonProps<Row>) => {
  const can = useCan()
  const providerSid = useProviderSid()
  if (!can('create', resource.kind, ownerWithDefaultProvider(row, providerSid))) return null
  return (
    <ButtonLink icon={Copy} href={`${addPath}?copy=${encodeURIComponent(sidOf(resource, row))}`}>
      Duplicate
    </ButtonLink>
  )
}
