import { useRouter } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useProviderSid } from '../../session/current-provider'
import { useCan } from '../../session/session'
import { Button } from '../../ui/button'
import { ownerWithDefaultProvider, type AnyResource } from './record'
import { RemoveDialog, type RemoveOptions } from './remove-dialog'

export interface RemoveButtonProps<Row> extends RemoveOptions<Row> {
  resource: AnyResource<Row>
  row: Row
  /** The path to open after the deletion. */
  nextPath: string
  /** The label of the button. Default: 'Delete'. */
  label?: string
}

/** Deletes the record of this screen. Hidden if the user may not delete it. */
export const RemoveButton = <Row,>({
  resource,
  row,
  nextPath,
  label = 'Delete',
  ...removeOptions
}: RemoveButtonProps<Row>) => {
  const can = useCan()
  const providerSid = useProviderSid()
  const router = useRouter()
  const [isConfirming, setIsConfirming] = useState(false)
  if (!can('remove', resource.kind, ownerWithDefaultProvider(row, providerSid))) return null
  return (
    <>
      <Button icon={Trash2} onClick={() => setIsConfirming(true)}>
        {label}
      </Button>
      <RemoveDialog
        {...removeOptions}
        resource={resource}
        // Pass the latest row, not a copy from the click: a pending save may update it while the dialog is open.
        row={isConfirming ? row : undefined}
        leaveScreen={() => router.navigate({ to: nextPath, ignoreBlocker: true })}
        onClose={() => setIsConfirming(false)}
      />
    </>
  )
}
