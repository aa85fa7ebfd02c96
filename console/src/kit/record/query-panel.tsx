import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getErrorMessage } from '../../lib/problem'
import { Panel, PanelFailure, PanelSkeleton, type PanelProps } from '../../ui/record/panel'
import { useQueryFailure } from './query-failure'

export interface QueryPanelProps<Data> extends Omit<PanelProps, 'children' | 'count'> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'errorUpdateCount' | 'isFetching' | 'refetch'>
  /** The shape of the panel while it loads. `height`: of a row, in pixels. */
  skeleton: { rows: number; height?: number }
  /** The panel is omitted if the response contains nothing. */
  isEmpty?: (data: Data) => boolean
  count?: (data: Data) => PanelProps['count']
  children: (data: Data) => ReactNode
}

/** A panel that loads and fails on its own. */
export const QueryPanel = <Data,>({ query, skeleton, isEmpty, count, children, ...panel }: QueryPanelProps<Data>) => {
  const { data, isFetching, refetch } = query
  const error = useQueryFailure(query)
  if (data !== undefined)
    return isEmpty?.(data) ? null : (
      <Panel {...panel} count={count?.(data)}>
        {children(data)}
      </Panel>
    )
  return (
    <Panel {...panel}>
      {error ? (
        <PanelFailure message={getErrorMessage(error)} onRetry={() => void refetch()} pending={isFetching} />
      ) : (
        <PanelSkeleton {...skeleton} />
      )}
    </Panel>
  )
}
