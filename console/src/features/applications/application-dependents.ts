import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { Application } from '@trunkline/contract/shapes/application'
import { request } from '../../lib/client'
import { fetchDependentTeamsTenants, type DependentRecord } from '../../kit/record/dependents'

/**
 * The account's phone numbers that use the application. Servers cannot filter by application, so this filters the
 * account's list.
 */
const listPhoneNumbers = async ({ application_sid, account_sid }: Application): Promise<DependentRecord[]> => {
  const response = await request(phoneNumber.list, { query: account_sid ? { account_sid } : {} })
  return (Array.isArray(response) ? response : response.data)
    .filter((row) => row.application_sid === application_sid)
    .map(({ phone_number_sid, number }) => ({ kind: 'phone_number', sid: phone_number_sid, title: number }))
}

const listAccounts = async (
  { application_sid }: Application,
  service_provider_sid: string,
): Promise<DependentRecord[]> => {
  const response = await request(accountsOfProvider, { params: { service_provider_sid } })
  return (Array.isArray(response) ? response : response.data)
    .filter((row) => [row.device_calling_application_sid, row.siprec_hook_sid].includes(application_sid))
    .map(({ account_sid, name }) => ({ kind: 'account', sid: account_sid, title: name }))
}

/** Lists the records that use an application, for servers that refuse a deletion without naming them. */
export const listApplicationDependents = async (
  row: Application,
  service_provider_sid: string,
): Promise<DependentRecord[]> =>
  (
    await Promise.all([
      listPhoneNumbers(row),
      fetchDependentTeamsTenants('application_sid', row.application_sid),
      listAccounts(row, service_provider_sid),
    ])
  ).flat()
