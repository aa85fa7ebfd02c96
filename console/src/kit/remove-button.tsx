import { useRouter } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useProviderSid } from '../session/provider'
import { useCan } from '../session/session'
import { Button } from '../ui/button'
import { ownerBelow, type Screened } from './record'
import { RemoveDialog, type Removal } from './remove-dialog'

export interface RemoveButtonProps<Row> extends Removal<Row> {
  of: Screened<Row>
  row: Row
  /** Where to go when the record of this page is gone. */
  to: string
  /** The words of the button; 'Delete' unless said. */
  label?: string
}

/** Deletes the record that a page is about; nothing for who may not. */
export const RemoveButton = <Row,>({ of, row, to, label = 'Delete', ...removal }: RemoveButtonProps<Row>) => {
  const can = useCan()
  const provider = useProviderSid()
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  if (!can('remove', of.kind, ownerBelow(row, provider))) return null
  return (
    <>
      <Button icon={Trash2} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <RemoveDialog
        {...removal}
        of={of}
        // as it is now: what was saved a moment ago may come while the question is open
        row={asking ? row : undefined}
        leave={() => router.navigate({ to, ignoreBlocker: true })}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
