import { useRouter } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useProviderSid } from '../../session/current-provider'
import { useCan } from '../../session/session'
import { Button } from '../../ui/button'
import { ownerInProvider, type AnyResource } from './record'
import { RemoveDialog, type RemoveOptions } from './remove-dialog'

export interface RemoveButtonProps<Row> extends RemoveOptions<Row> {
  resource: AnyResource<Row>
  row: Row
  /** The path to open after the deletion. */
  to: string
  /** The label of the button. Default: 'Delete'. */
  label?: string
}

/** Deletes the record of this page. Renders nothing if the user may not. */
export const RemoveButton = <Row,>({ resource, row, to, label = 'Delete', ...removal }: RemoveButtonProps<Row>) => {
  const can = useCan()
  const provider = useProviderSid()
  const router = useRouter()
  const [asking, setAsking] = useState(false)
  if (!can('remove', resource.kind, ownerInProvider(row, provider))) return null
  return (
    <>
      <Button icon={Trash2} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <RemoveDialog
        {...removal}
        resource={resource}
        // the current row: a recent save may finish while the dialog is open
        row={asking ? row : undefined}
        leave={() => router.navigate({ to, ignoreBlocker: true })}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
