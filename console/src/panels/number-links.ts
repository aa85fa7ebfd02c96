import { useQuery } from '@tanstack/react-query'
import { paths } from '../lib/paths'
import { capabilitiesQuery } from '../lib/server-capabilities'

/**
 * Returns a function that creates the path of the list of phone numbers of a carrier or an application, by its SID. There
 * is none if the server cannot filter phone numbers.
 */
export const useNumberListPaths = (filter: 'carrier' | 'application') => {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  return (sid: string): { phone_number?: string } =>
    capabilities?.numberFilters
      ? { phone_number: `${paths.phoneNumbers.list}?${new URLSearchParams({ [filter]: sid }).toString()}` }
      : {}
}
