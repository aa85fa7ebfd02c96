import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import { ResourceList } from '../../kit/list'
import { paths } from '../../lib/paths'

/** Stands in until the screen is written. */
export const PhoneNumberList = () => (
  <ResourceList
    of={phoneNumber}
    title="Phone numbers"
    columns={[]}
    edit={(row) => paths.phoneNumbers.edit(row.phone_number_sid)}
    empty={{ title: 'Nothing yet.' }}
  />
)
