import { useEffect, useRef } from 'react'
import { useStableCallback } from '../../lib/use-stable-callback'
import { isRecordGone, sidOf, type AnyResource } from '../record/record'
import type { useSelection } from './use-selection'

export interface DeselectOptions<Row> {
  resource: AnyResource<Row>
  selection: Pick<ReturnType<typeof useSelection<Row>>, 'sids' | 'remove'>
  shownRows: readonly Row[]
  /** Identifies the page that `shownRows` belong to. Undefined while they belong to the previous page. */
  pageKey: string | undefined
}

/** Deselects rows that were deleted: after a refresh, they are missing from their page, and no longer exist. */
export const useDeselectDeletedRows = <Row>({ resource, selection, shownRows, pageKey }: DeselectOptions<Row>) => {
  const lastPage = useRef<{ pageKey: string | undefined; sids: string[] }>(undefined)
  const deselectDeleted = useStableCallback(async (missingSids: string[]) => {
    const selectedSids = missingSids.filter((sid) => selection.sids.includes(sid))
    const areGone = await Promise.all(selectedSids.map((sid) => isRecordGone(resource, sid)))
    selection.remove(selectedSids.filter((_sid, index) => areGone[index]))
  })
  useEffect(() => {
    const previousPage = lastPage.current
    const sids = shownRows.map((row) => sidOf(resource, row))
    lastPage.current = { pageKey, sids }
    if (pageKey === undefined || previousPage?.pageKey !== pageKey) return
    const missingSids = previousPage.sids.filter((sid) => !sids.includes(sid))
    if (missingSids.length > 0) void deselectDeleted(missingSids)
  }, [resource, shownRows, pageKey, deselectDeleted])
}
