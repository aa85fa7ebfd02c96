import { useSearch } from '@tanstack/react-router'
import { messages } from '@trunkline/contract/messages/general'
import { Copy } from 'lucide-react'
import { useProviderSid } from '../session/provider'
import { useCan } from '../session/session'
import { ButtonLink } from '../ui/button'
import { ownerBelow, sidOf, type Screened } from './record'

/** The record that the add page begins with a copy of; undefined: it begins with nothing. */
export const useCopied = (): string | undefined => {
  const { copy }: { copy?: string } = useSearch({ strict: false })
  return copy
}

/** What a copy is called at first: at most as long as a name may be. */
export const nameOfCopy = (name: string, most = 64): string => messages.copyOf(name).slice(0, most)

export interface DuplicateProps<Row> {
  of: Screened<Row>
  row: Row
  /** The add page of this kind. */
  add: string
}

/** Leads to the add page, filled in as this record is; nothing for who may not add one. */
export const Duplicate = <Row,>({ of, row, add }: DuplicateProps<Row>) => {
  const can = useCan()
  const provider = useProviderSid()
  if (!can('create', of.kind, ownerBelow(row, provider))) return null
  return (
    <ButtonLink icon={Copy} href={`${add}?copy=${encodeURIComponent(sidOf(of, row))}`}>
      Duplicate
    </ButtonLink>
  )
}
