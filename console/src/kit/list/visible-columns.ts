import { useState } from 'react'
import { localValues } from '../../lib/storage'

const readStoredColumns = (): Record<string, unknown> => {
  try {
    return (JSON.parse(localValues.columns.get() ?? '{}') as Record<string, unknown> | null) ?? {}
  } catch {
    return {}
  }
}

/** The user's selection of columns for a table, stored in this browser. */
export const useVisibleColumns = (table: string, defaultColumns: readonly string[]) => {
  const [stored, setStored] = useState(() => ({ table, columns: readStoredColumns()[table] }))
  // the rows of one list may be of another kind after a filter changes
  if (stored.table !== table) setStored({ table, columns: readStoredColumns()[table] })
  const visibleColumns = Array.isArray(stored.columns) ? stored.columns.map(String) : defaultColumns
  const setVisibleColumns = (columns: string[] | undefined) => {
    setStored({ table, columns })
    localValues.columns.set(JSON.stringify({ ...readStoredColumns(), [table]: columns }))
  }
  return { visibleColumns, setVisibleColumns }
}
