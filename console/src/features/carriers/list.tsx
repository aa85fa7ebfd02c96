import { voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { ResourceList } from '../../kit/list'
import { paths } from '../../lib/paths'

/** Stands in until the screen is written. */
export const CarrierList = () => (
  <ResourceList
    of={voipCarrier}
    title="Carriers"
    columns={[]}
    edit={(row) => paths.carriers.edit(row.voip_carrier_sid)}
    empty={{ title: 'Nothing yet.' }}
  />
)
