import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { application } from '@trunkline/contract/resources/application'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import { carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { fetchAllPages } from '../../kit/list/all-pages'
import { fetchProviderApplications } from '../../panels/provider-applications'
import { createListSource, type ListSource } from '../../kit/record/record'
import type { ImportRecords, NamedRecord } from './import-file'

const listNamedRecords = async <Row>(
  source: ListSource<Row>,
  toNamedRecord: (row: Row) => NamedRecord,
  signal: AbortSignal,
): Promise<NamedRecord[]> => {
  const records: NamedRecord[] = []
  for await (const { rows } of fetchAllPages(source, {}, signal))
    for (const row of rows) records.push(toNamedRecord(row))
  return records
}

/** Reads the carriers, accounts and applications that a file may refer to. */
export const readImportRecords = async (
  actor: Actor,
  service_provider_sid: string,
  signal: AbortSignal,
): Promise<ImportRecords> => {
  const isAccountUser = actor.scope === 'account'
  const carrierSource = isAccountUser
    ? createListSource(voipCarrier.list, {})
    : createListSource(carriersOfProvider.list, { service_provider_sid })
  const applicationSource = isAccountUser
    ? createListSource(application.list, {})
    : {
        // the source is not cached, so it needs no key
        key: [],
        fetch: (query: object, abortSignal?: AbortSignal) =>
          fetchProviderApplications(actor, service_provider_sid, query, abortSignal),
      }
  const [carrierRecords, accountRecords, applicationRecords] = await Promise.all([
    listNamedRecords(carrierSource, ({ voip_carrier_sid, name }) => ({ sid: voip_carrier_sid, name }), signal),
    isAccountUser
      ? []
      : listNamedRecords(
          createListSource(accountsOfProvider, { service_provider_sid }),
          ({ account_sid, name }) => ({ sid: account_sid, name }),
          signal,
        ),
    listNamedRecords(
      applicationSource,
      ({ application_sid: sid, name, account_sid }) => ({ sid, name, account_sid }),
      signal,
    ),
  ])
  return { carriers: carrierRecords, accounts: accountRecords, applications: applicationRecords }
}

/** The list source of the existing numbers that the user may see. */
export const createExistingNumbersSource = (actor: Actor, service_provider_sid: string): ListSource<PhoneNumber> =>
  createListSource(phoneNumber.list, {}, actor.scope === 'account' ? {} : { service_provider_sid })
