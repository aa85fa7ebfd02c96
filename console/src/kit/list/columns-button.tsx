import { Columns3 } from 'lucide-react'
import { Suspense } from 'react'
import { IconButton } from '../../ui/button'
import { CopyText } from '../../ui/copy'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { useIsNarrow } from '../../ui/shell/use-window-width'
import type { ListColumn } from './list-column'
import type { useVisibleColumns } from './visible-columns'
import { sidOf, type AnyResource } from '../record/record'

/** Loaded when the user selects columns. */
const LazyColumnDialog = lazyComponent(() =>
  import('../../ui/table/column-dialog').then((module) => module.ColumnDialog),
)

interface ColumnsButtonProps extends ReturnType<typeof useVisibleColumns> {
  columns: { id: string; head: string }[]
  isOpen: boolean
  setIsOpen: (isOpen: boolean) => void
}

/** Selects the columns of a list. Cards have none, so a narrow window has no button. */
export const ColumnsButton = ({
  columns,
  isOpen,
  setIsOpen,
  visibleColumns,
  setVisibleColumns,
}: ColumnsButtonProps) => {
  const isNarrow = useIsNarrow()
  return (
    <>
      {isNarrow ? null : <IconButton icon={Columns3} iconSize={14} label="Columns" onClick={() => setIsOpen(true)} />}
      {isOpen ? (
        <Suspense>
          <LazyColumnDialog
            columns={columns}
            visibleIds={visibleColumns}
            onChange={setVisibleColumns}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  )
}

/** Adds a hidden column of SIDs to the columns of a list without one. */
export const addSidColumn = <Row,>({ key }: AnyResource<Row>, columns: ListColumn<Row>[]): ListColumn<Row>[] => {
  if (columns.some(({ id }) => id === key)) return columns
  const cell = (row: Row) => <CopyText text={sidOf({ key }, row)} />
  return [...columns, { id: key, head: 'SID', width: 310, isOptional: true, cell }]
}
