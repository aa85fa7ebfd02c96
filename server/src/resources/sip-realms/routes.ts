import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { fullReach } from '@trunkline/contract/policy/can'
import { messages } from '@trunkline/contract/messages/registration'
import { setSipRealm } from '@trunkline/contract/resources/registration'
import type { Connection } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { mountRoute } from '../../http/mount-route'
import { badRequest, forbidden, notFound, unprocessable } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'
import { RecordExistsError, type Dns, type DnsRecord } from '../../ports/dns'
import type { Services } from '../../composition/services'
import { duplicate } from '../../shared/refusals'
import { readSbcAddresses } from '../../shared/sbc-addresses'
import { readRootDomain } from '../registration/public'
import { isReservedSubdomain, parseSubdomain } from './rules'
import { scheduleAccountRecords } from './removals'

type RealmServices = Pick<Services, 'store' | 'accounts' | 'dns' | 'dnsRemovals' | 'hostedEdition'>

/**
 * Throws 422 if the domain has records with the names of the realm. They belong to the operator: an account must neither
 * add to them nor have them deleted with its own.
 */
const checkNameIsUnused = async ({ dnsRemovals }: RealmServices, dns: Dns, realm: string): Promise<void> => {
  if ((await dns.listRealm(realm)).length === 0) return
  // They may be left from a failed request, or from the previous account with this realm.
  await dnsRemovals.removeDue({ realm })
  if ((await dns.listRealm(realm)).length > 0) throw duplicate(realm, 'sip_realm')
}

/** Creates the DNS records of a realm, then calls `store` with them. If either fails, the records are deleted. */
const withDnsRecords = async (
  services: RealmServices,
  dns: Dns,
  { realm, addresses }: { realm: string; addresses: string[] },
  store: (records: DnsRecord[], finish: (tx: Connection) => Promise<void>) => Promise<void>,
): Promise<void> => {
  const { dnsRemovals } = services
  await checkNameIsUnused(services, dns, realm)
  const removalSid = await dnsRemovals.startCreation(realm)
  let records: DnsRecord[] | undefined
  try {
    records = await dns.createRealm({ realm, addresses })
    await store(records, (tx) => dnsRemovals.finishCreation(removalSid, tx))
  } catch (error) {
    if (error instanceof RecordExistsError) {
      await dnsRemovals.finishCreation(removalSid)
      throw duplicate(realm, 'sip_realm')
    }
    await dnsRemovals.cancelCreation(removalSid, realm, records)
    throw error
  }
}

/** Sets the SIP realm of the actor's account. Mounted only in the hosted edition. */
export const sipRealmRoutes = (app: FastifyInstance, services: RealmServices): void => {
  const { store, accounts, dns, dnsRemovals, hostedEdition } = services
  if (!hostedEdition) return

  const storeRealm = (
    account_sid: string,
    sip_realm: string,
    records: DnsRecord[],
    finish: (tx: Connection) => Promise<void>,
  ) =>
    withTransaction(store.database.db, async (tx) => {
      await accounts.lockRow(account_sid, tx)
      await scheduleAccountRecords(account_sid, tx)
      await accounts.update(account_sid, { sip_realm }, tx)
      for (const { id, type } of records)
        await tx
          .insertInto('dns_records')
          .values({ dns_record_sid: randomUUID(), account_sid, record_type: type, record_id: id })
          .execute()
      await finish(tx)
    })

  /** The subdomain of a realm. Throws unless the realm is below the root domain of the provider. */
  const requireSubdomain = async (sip_realm: string, service_provider_sid: string): Promise<string> => {
    const rootDomain = await readRootDomain(services, service_provider_sid)
    if (!rootDomain) throw unprocessable(messages.noRootDomain(service_provider_sid))
    const subdomain = parseSubdomain(sip_realm, rootDomain.toLowerCase())
    if (!subdomain) throw badRequest(messages.invalidRealm(sip_realm), 'sip_realm')
    return subdomain
  }

  /** False if the realm was set before the DNS provider was configured, or by the provider. */
  const hasRecords = async (account_sid: string): Promise<boolean> => {
    const records = store.database.db.selectFrom('dns_records').select('dns_record_sid')
    return (await records.where('account_sid', '=', account_sid).limit(1).execute()).length > 0
  }

  mountRoute(app, setSipRealm, { requiresWellFormedSids: false }, async ({ params, actor, request }) => {
    if (actor.scope !== 'account') throw forbidden('insufficient permissions')
    const { account_sid } = actor
    if (params.account_sid !== account_sid) throw notFound()
    const sip_realm = params.sip_realm.trim().toLowerCase()
    const account = await accounts.find(fullReach, account_sid)
    if (!account) throw notFound()
    const subdomain = await requireSubdomain(sip_realm, account.service_provider_sid)
    if (account.sip_realm === sip_realm && (!dns || (await hasRecords(account_sid)))) return
    if (isReservedSubdomain(subdomain) || (await accounts.isDuplicateRealm(sip_realm, account_sid)))
      throw duplicate(sip_realm, 'sip_realm')
    if (!dns) await storeRealm(account_sid, sip_realm, [], () => Promise.resolve())
    else {
      const addresses = await readSbcAddresses(store.database.db, account.service_provider_sid)
      if (addresses.length === 0) throw unprocessable(messages.noSbcAddresses)
      await withDnsRecords(services, dns, { realm: sip_realm, addresses }, (records, finish) =>
        storeRealm(account_sid, sip_realm, records, finish),
      )
      // What fails now is tried again by the job.
      void dnsRemovals
        .removeDue()
        .catch((error: unknown) => request.log.warn({ err: error }, 'DNS records were not deleted'))
    }
    logSecurityEvent(request, 'sip_realm_changed')
  })
}
