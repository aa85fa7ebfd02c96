import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import type { Application } from '@trunkline/contract/shapes/application'
import { requestList } from '../../lib/request-list'
import { fetchDependentTeamsTenants, type DependentRecord } from '../../kit/record/dependents'

/** Lists the phone numbers that use the application. Servers cannot filter by application, so this filters the list. */
const listDependentPhoneNumbers = async ({ application_sid, account_sid }: Application): Promise<DependentRecord[]> => {
  const { rows } = await requestList(phoneNumber.list, { query: account_sid ? { account_sid } : {} })
  return rows
    .filter((row) => row.application_sid === application_sid)
    .map(({ phone_number_sid, number }) => ({ kind: 'phone_number', sid: phone_number_sid, title: number }))
}

/** Lists the accounts that use the application for calls from their SIP devices or for SIPREC calls. */
const listDependentAccounts = async (
  { application_sid }: Application,
  service_provider_sid: string,
): Promise<DependentRecord[]> => {
  const { rows } = await requestList(accountsOfProvider, { params: { service_provider_sid } })
  return rows
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
      listDependentPhoneNumbers(row),
      fetchDependentTeamsTenants('application_sid', row.application_sid),
      listDependentAccounts(row, service_provider_sid),
    ])
  ).flat()
