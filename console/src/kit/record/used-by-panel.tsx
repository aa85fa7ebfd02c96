import { Dependents } from '../../ui/dependents'
import type { PanelProps } from '../../ui/record/panel'
import { groupDependents, type DependentRecord } from './dependents'
import { QueryPanel } from './query-panel'
import type { AnyResource } from './record'
import { useDependents, type FindDependents } from './use-dependents'

interface UsedByPanelProps<Row> extends Pick<PanelProps, 'title' | 'span'> {
  resource: Pick<AnyResource<Row>, 'kind' | 'key'>
  /** Undefined until the record has loaded. */
  row: Row | undefined
  findDependents: FindDependents<Row>
  /** The kinds to show. Default: all. */
  shows?: (dependent: DependentRecord) => boolean
  /** The list of all dependents of a kind, if one can be filtered by this record. */
  listPaths?: Partial<Record<string, string>>
  /** The expected number of kinds. */
  skeletonRows?: number
}

const showAll = () => true

/** The records that use this one. The dialog of the deletion shows the same ones. Omitted if there are none. */
export const UsedByPanel = <Row,>({
  resource,
  row,
  findDependents,
  shows = showAll,
  listPaths,
  skeletonRows = 2,
  ...panel
}: UsedByPanelProps<Row>) => (
  <QueryPanel
    {...panel}
    query={useDependents(resource, row, findDependents)}
    skeleton={{ rows: skeletonRows }}
    isEmpty={(dependents) => !dependents.some(shows)}
  >
    {(dependents) => <Dependents groups={groupDependents(dependents.filter(shows), listPaths)} />}
  </QueryPanel>
)
