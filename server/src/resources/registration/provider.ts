import { messages } from '@trunkline/contract/messages/registration'
import { Problem } from '../../http/problem'
import type { Services } from '../../composition/services'
import { readSbcAddresses } from '../../shared/sbc-addresses'

/** The SID of the provider of new accounts: the configured one, or the only one. Undefined if neither exists. */
export const findRegistrationProvider = async ({
  store,
  hostedEdition,
}: Pick<Services, 'store' | 'hostedEdition'>): Promise<string | undefined> => {
  const { db } = store.database
  const providers = db.selectFrom('service_providers').select('service_provider_sid')
  const configuredSid = hostedEdition?.serviceProviderSid
  const rows = await (
    configuredSid ? providers.where('service_provider_sid', '=', configuredSid) : providers.limit(2)
  ).execute()
  return rows.length === 1 ? rows[0]?.service_provider_sid : undefined
}

/** Why nobody can register or get a SIP realm; undefined if people can. */
export const findSetupProblem = async (
  services: Pick<Services, 'store' | 'hostedEdition' | 'dns'>,
): Promise<string | undefined> => {
  const { store, hostedEdition, dns } = services
  if (!hostedEdition) return undefined
  const sid = await findRegistrationProvider(services)
  if (!sid)
    return hostedEdition.serviceProviderSid
      ? `DEFAULT_SERVICE_PROVIDER_SID ${hostedEdition.serviceProviderSid} is not a service provider, so nobody can register.`
      : 'DEFAULT_SERVICE_PROVIDER_SID is not set and there is not exactly one service provider, so nobody can register.'
  if (!(await readRootDomain(services, sid)))
    return `The service provider ${sid} has no root domain, so nobody can register. Set it in its settings in the console.`
  if (dns && (await readSbcAddresses(store.database.db, sid)).length === 0)
    return 'There is no SBC with an IPv4 address, so accounts cannot get a SIP realm. Add one with POST /v1/Sbcs.'
  return undefined
}

/** The domain below which the accounts of a provider have their SIP realms. Undefined if the provider has none. */
export const readRootDomain = async (
  { store }: Pick<Services, 'store'>,
  service_provider_sid: string,
): Promise<string | undefined> => {
  const row = await store.database.db
    .selectFrom('service_providers')
    .select('root_domain')
    .where('service_provider_sid', '=', service_provider_sid)
    .executeTakeFirst()
  return row?.root_domain || undefined
}

/** The domain below which the accounts of a provider have their SIP realms. */
export const findRootDomain = async (
  services: Pick<Services, 'store'>,
  service_provider_sid: string,
): Promise<string> => {
  const rootDomain = await readRootDomain(services, service_provider_sid)
  // The operator, not the client, has to correct this. Existing clients show the message.
  if (!rootDomain) throw new Problem(500, { msg: messages.noRootDomain(service_provider_sid) })
  return rootDomain
}
