import { application } from '@trunkline/contract/resources/application'
import { ResourceList } from '../../kit/list'
import { paths } from '../../lib/paths'

/** Stands in until the screen is written. */
export const ApplicationList = () => (
  <ResourceList
    of={application}
    title="Applications"
    columns={[]}
    edit={(row) => paths.applications.edit(row.application_sid)}
    empty={{ title: 'Nothing yet.' }}
  />
)
