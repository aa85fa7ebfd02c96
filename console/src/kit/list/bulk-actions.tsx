import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/general'
import { CirclePause, CirclePlay, Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Problem } from '../../lib/problem'
import { useProviderSid } from '../../session/current-provider'
import { useCan } from '../../session/session'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog'
import { toast } from '../../ui/feedback/toast'
import { batchLoadedRows } from './all-pages'
import css from './bulk-bar.module.css'
import { downloadCsvFile } from './csv-table'
import { runEach, type BulkOperation } from './run-bulk'
import type { Bulk } from './use-bulk'
import type { Selection } from './use-selection'
import { removeRow } from './remove-rows'
import { getDisplayTitle } from '../record/display-title'
import { ownerWithDefaultProvider, type AnyResource } from '../record/record'
import type { RemoveOptions } from '../record/remove-dialog'

/** Activates (1) or deactivates (0) a record. */
export type SetActive<Row> = (row: Row, is_active: 0 | 1) => Promise<unknown>

export interface BulkActionsProps<Row> {
  resource: AnyResource<Row>
  selection: Pick<Selection<Row>, 'rows'>
  bulk: Bulk<Row>
  removeOptions?: RemoveOptions<Row> | undefined
  setActive?: SetActive<Row> | undefined
}

const isActive = (row: unknown) => Boolean((row as { is_active?: unknown }).is_active)

const createActivation = <Row,>(setActive: SetActive<Row>, is_active: 0 | 1, plural: string): BulkOperation<Row> => {
  const runWith =
    (value: 0 | 1): BulkOperation<Row>['run'] =>
    (rows, onProgress) =>
      runEach(rows, (row) => setActive(row, value), onProgress)
  return {
    label: `${is_active ? 'Activating' : 'Deactivating'} ${plural}`,
    participle: is_active ? 'activated' : 'deactivated',
    run: runWith(is_active),
    undo: runWith(is_active ? 0 : 1),
  }
}

/** The buttons that activate and deactivate the selected records. Each skips the records that already are. */
const ActivationButtons = <Row,>({
  resource,
  rows,
  bulk,
  setActive,
}: Pick<BulkActionsProps<Row>, 'resource' | 'bulk'> & { rows: Row[]; setActive: SetActive<Row> }) => {
  const run = (is_active: 0 | 1) =>
    void bulk.run(
      createActivation(setActive, is_active, resource.noun.plural),
      rows.filter((row) => isActive(row) !== Boolean(is_active)),
    )
  return (
    <>
      <Button size="sm" icon={CirclePlay} disabled={rows.every(isActive)} onClick={() => run(1)}>
        Activate
      </Button>
      <Button size="sm" icon={CirclePause} disabled={!rows.some(isActive)} onClick={() => run(0)}>
        Deactivate
      </Button>
    </>
  )
}

/** The maximum number of records that the confirmation names. */
const maxNames = 8

const NameList = <Row,>({ resource, rows }: Pick<BulkActionsProps<Row>, 'resource'> & { rows: readonly Row[] }) => (
  <ul className={css.names}>
    {rows.slice(0, maxNames).map((row, index) => (
      <li key={index}>{getDisplayTitle(resource, row)}</li>
    ))}
    {rows.length > maxNames ? <li>{`and ${(rows.length - maxNames).toLocaleString('en-US')} more`}</li> : null}
  </ul>
)

/** Deletes the selected records after a confirmation that names them. */
const DeleteButton = <Row,>({
  resource,
  rows,
  bulk,
  removeOptions,
}: Pick<BulkActionsProps<Row>, 'resource' | 'bulk'> & { rows: Row[]; removeOptions: RemoveOptions<Row> }) => {
  const can = useCan()
  const cache = useQueryClient()
  const providerSid = useProviderSid()
  const [isConfirming, setIsConfirming] = useState(false)
  const { singular, plural } = resource.noun
  const mayRemove = (row: Row) => can('remove', resource.kind, ownerWithDefaultProvider(row, providerSid))
  const removeOne = async (row: Row) => {
    if (!mayRemove(row)) throw new Problem(403, undefined)
    await removeRow(cache, resource, row, removeOptions)
  }
  const removeAll = () => {
    setIsConfirming(false)
    void bulk.run(
      {
        label: `Deleting ${plural}`,
        participle: 'deleted',
        run: (removedRows, onProgress) => runEach(removedRows, removeOne, onProgress),
      },
      rows,
    )
  }
  if (!rows.some(mayRemove)) return null
  return (
    <>
      <Button size="sm" variant="danger" icon={Trash2} onClick={() => setIsConfirming(true)}>
        Delete
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        title={`Delete ${rows.length === 1 ? singular : plural}`}
        question={messages.confirmBulkRemoval(rows.length, rows.length === 1 ? singular : plural)}
        confirmLabel="Delete"
        onConfirm={removeAll}
        onClose={() => setIsConfirming(false)}
      >
        <NameList resource={resource} rows={rows} />
      </ConfirmDialog>
    </>
  )
}

/** The actions for selected records that every list has: export, activate, deactivate and delete. */
export const BulkActions = <Row extends object>(props: BulkActionsProps<Row>) => {
  const { resource, selection, bulk, removeOptions, setActive } = props
  const rows = [...selection.rows.values()]
  const { singular, plural } = resource.noun
  const exportRows = async () => {
    const rowCount = await downloadCsvFile(plural, batchLoadedRows(rows), () => undefined)
    toast.ok(messages.exported(rowCount, rowCount === 1 ? singular : plural))
  }
  return (
    <>
      {setActive ? <ActivationButtons {...{ resource, rows, bulk, setActive }} /> : null}
      <Button size="sm" icon={Download} onClick={() => void exportRows()}>
        Export
      </Button>
      {removeOptions ? <DeleteButton {...{ resource, rows, bulk, removeOptions }} /> : null}
    </>
  )
}
