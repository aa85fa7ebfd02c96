import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { application } from '@trunkline/contract/resources/application'
import { phoneNumber } from '@trunkline/contract/resources/phone-number'
import { carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { PhoneNumber } from '@trunkline/contract/shapes/phone-number'
import { fetchAllPages } from '../../kit/list/all-pages'
import { fetchProviderApplications } from '../../panels/provider-applications'
import { createListSource, type ListSource } from '../../kit/record/record'
import type { Catalogue, Named } from './import-file'

const all = async <Row>(source: ListSource<Row>, named: (row: Row) => Named, signal: AbortSignal): Promise<Named[]> => {
  const found: Named[] = []
  for await (const { rows } of fetchAllPages(source, {}, signal)) for (const row of rows) found.push(named(row))
  return found
}

/** Reads the carriers, accounts and applications that a file may refer to. */
export const readCatalogue = async (
  actor: Actor,
  service_provider_sid: string,
  signal: AbortSignal,
): Promise<Catalogue> => {
  const own = actor.scope === 'account'
  const carriers = own
    ? createListSource(voipCarrier.list, {})
    : createListSource(carriersOfProvider.list, { service_provider_sid })
  const applications = own
    ? createListSource(application.list, {})
    : {
        key: [],
        fetch: (query: object, stop?: AbortSignal) =>
          fetchProviderApplications(actor, service_provider_sid, query, stop),
      }
  const [first, second, third] = await Promise.all([
    all(carriers, ({ voip_carrier_sid, name }) => ({ sid: voip_carrier_sid, name }), signal),
    own
      ? []
      : all(
          createListSource(accountsOfProvider, { service_provider_sid }),
          ({ account_sid, name }) => ({ sid: account_sid, name }),
          signal,
        ),
    all(applications, ({ application_sid: sid, name, account_sid }) => ({ sid, name, account_sid }), signal),
  ])
  return { carriers: first, accounts: second, applications: third }
}

/** The existing numbers that the user may see. */
export const heldNumbers = (actor: Actor, service_provider_sid: string): ListSource<PhoneNumber> =>
  createListSource(phoneNumber.list, {}, actor.scope === 'account' ? {} : { service_provider_sid })
