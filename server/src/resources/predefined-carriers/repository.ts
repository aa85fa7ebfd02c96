import { randomUUID } from 'node:crypto'
import type { Owner } from '@trunkline/contract/policy/actor'
import type { Store } from '../../db/repository'
import type { Connection, WriteCheck } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { generateShortId } from '../../secrets/ids'

/** The name of a copied carrier: it gets a suffix if the provider already has a carrier with this name. */
const chooseCarrierName = async (tx: Connection, name: string, { service_provider_sid }: Owner): Promise<string> => {
  const sameNameCarrier = await tx
    .selectFrom('voip_carriers')
    .select('voip_carrier_sid')
    .where('name', '=', name)
    .where('service_provider_sid', '=', service_provider_sid)
    .executeTakeFirst()
  return sameNameCarrier ? `${name}-${generateShortId()}` : name
}

interface CarrierCopy {
  predefined_carrier_sid: string
  voip_carrier_sid: string
}

const copySipGateways = async (tx: Connection, { predefined_carrier_sid, voip_carrier_sid }: CarrierCopy) => {
  const predefinedGateways = await tx
    .selectFrom('predefined_sip_gateways')
    // An upgraded database has more columns here than a new one. The table of gateways has all of them.
    .selectAll()
    .where('predefined_carrier_sid', '=', predefined_carrier_sid)
    .execute()
  for (const { predefined_sip_gateway_sid: _, predefined_carrier_sid: __, ...columns } of predefinedGateways)
    await tx
      .insertInto('sip_gateways')
      .values({ ...columns, voip_carrier_sid, sip_gateway_sid: randomUUID() })
      .execute()
}

const copySmppGateways = async (tx: Connection, { predefined_carrier_sid, voip_carrier_sid }: CarrierCopy) => {
  const predefinedGateways = await tx
    .selectFrom('predefined_smpp_gateways')
    .select(['ipv4', 'port', 'inbound', 'outbound', 'netmask', 'is_primary', 'use_tls'])
    .where('predefined_carrier_sid', '=', predefined_carrier_sid)
    .execute()
  for (const columns of predefinedGateways)
    await tx
      .insertInto('smpp_gateways')
      .values({ ...columns, voip_carrier_sid, smpp_gateway_sid: randomUUID() })
      .execute()
}

/** The carriers that an installation offers as templates. */
export const createPredefinedCarrierRepository = ({ database: { db } }: Store) => ({
  list: () => db.selectFrom('predefined_carriers').selectAll().orderBy('name').execute(),

  /** The number of SIP gateways that a copy of the carrier will have; 0 for an unknown carrier. */
  async countSipGateways(predefined_carrier_sid: string, tx: Connection): Promise<number> {
    const { count } = await tx
      .selectFrom('predefined_sip_gateways')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('predefined_carrier_sid', '=', predefined_carrier_sid)
      .executeTakeFirstOrThrow()
    return Number(count)
  },

  /** Copies a carrier and its gateways to a tenant. Returns the SID of the copy, or undefined for an unknown carrier. */
  async copyToTenant(predefined_carrier_sid: string, owner: Owner, check?: WriteCheck): Promise<string | undefined> {
    return withTransaction(db, async (tx) => {
      await check?.(tx)
      const predefinedCarrier = await tx
        .selectFrom('predefined_carriers')
        .selectAll()
        .where('predefined_carrier_sid', '=', predefined_carrier_sid)
        .executeTakeFirst()
      if (!predefinedCarrier) return undefined
      const { predefined_carrier_sid: _, requires_static_ip: __, name, ...columns } = predefinedCarrier
      const voip_carrier_sid = randomUUID()
      const carrierName = await chooseCarrierName(tx, name, owner)
      await tx
        .insertInto('voip_carriers')
        .values({ ...columns, ...owner, voip_carrier_sid, name: carrierName })
        .execute()
      await copySipGateways(tx, { predefined_carrier_sid, voip_carrier_sid })
      await copySmppGateways(tx, { predefined_carrier_sid, voip_carrier_sid })
      return voip_carrier_sid
    })
  },
})
