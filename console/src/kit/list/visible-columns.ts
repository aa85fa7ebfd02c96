import { useState } from 'react'
import { localValues } from '../../lib/storage'

const readStoredColumns = (): Record<string, unknown> => {
  try {
    return (JSON.parse(localValues.columns.get() ?? '{}') as Record<string, unknown> | null) ?? {}
  } catch {
    return {}
  }
}

/** In a URL, no column: an empty parameter would be omitted. No column has this id. */
const noColumns = 'none'

/** Writes column ids as a URL parameter. */
export const writeColumns = (ids: readonly string[]): string => ids.join(',') || noColumns

/** The columns in the URL of a list, and a function that replaces them. */
export interface UrlColumns {
  value: string | undefined
  set: (columns: string) => void
}

/**
 * The visible columns of a table: those in the URL, or the user's selection, which is stored in this browser. A list that
 * opens with columns in its URL keeps them there, so that a link from someone else does not change the selection.
 */
export const useVisibleColumns = (table: string, defaultColumns: readonly string[], url: UrlColumns) => {
  const [stored, setStored] = useState(() => ({ table, columns: readStoredColumns()[table] }))
  // the rows of one list may be of another kind after a filter changes
  if (stored.table !== table) setStored({ table, columns: readStoredColumns()[table] })
  const storedColumns = Array.isArray(stored.columns) ? stored.columns.map(String) : defaultColumns
  const storeColumns = (columns: string[] | undefined) => {
    setStored({ table, columns })
    localValues.columns.set(JSON.stringify({ ...readStoredColumns(), [table]: columns }))
  }
  return url.value === undefined
    ? { visibleColumns: storedColumns, setVisibleColumns: storeColumns }
    : {
        visibleColumns: url.value.split(','),
        setVisibleColumns: (columns: string[] | undefined) =>
          url.set(writeColumns((columns ?? defaultColumns).filter((id) => id !== noColumns))),
      }
}
