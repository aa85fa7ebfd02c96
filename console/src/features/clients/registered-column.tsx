import { useQuery } from '@tanstack/react-query'
import type { Client } from '@trunkline/contract/shapes/client'
import type { ListColumn } from '../../kit/list/list-column'
import { createRegisteredClientsQuery } from '../../panels/registered-clients'
import { Status } from '../../ui/status'

/**
 * Shows whether a device is registered as this client. One request serves all clients of an account; shows nothing if
 * the state is unknown.
 */
const RegistrationStatus = ({ account_sid, username }: Client) => {
  const { data } = useQuery(createRegisteredClientsQuery(account_sid))
  if (!data) return null
  return data.has(username ?? '') ? <Status kind="ok">Registered</Status> : <Status kind="off">Unregistered</Status>
}

export const registeredColumn: ListColumn<Client> = {
  id: 'registered',
  head: 'Registration',
  width: 160,
  cell: (row) => <RegistrationStatus {...row} />,
}
