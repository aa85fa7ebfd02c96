import type { Kysely } from 'kysely'
import { generateWebhookSecret } from '../secrets/ids'
import { inExclusiveTransaction } from './exclusive-transaction'
import { platformVersion } from './platform-tables'
import { predefinedCarriers } from './predefined-carriers'
import type { Tables } from './schema'
import { defaultAccountSid, defaultServiceProviderSid, initialPermissions, initialProducts } from './seed-data'

const addPredefinedCarriers = async (db: Kysely<Tables>): Promise<void> => {
  for (const { carrier, sipGateways, smppGateways } of predefinedCarriers) {
    const { predefined_carrier_sid } = carrier
    await db.insertInto('predefined_carriers').values(carrier).execute()
    for (const [predefined_sip_gateway_sid, ipv4, netmask, port, direction] of sipGateways) {
      const directionFlags = { inbound: Number(direction === 'in'), outbound: Number(direction === 'out') }
      await db
        .insertInto('predefined_sip_gateways')
        .values({ predefined_sip_gateway_sid, ipv4, netmask, port, ...directionFlags, predefined_carrier_sid })
        .execute()
    }
    for (const [predefined_smpp_gateway_sid, ipv4, netmask, port, direction] of smppGateways) {
      const directionFlags = { inbound: Number(direction === 'in'), outbound: Number(direction === 'out') }
      await db
        .insertInto('predefined_smpp_gateways')
        .values({ predefined_smpp_gateway_sid, ipv4, netmask, port, ...directionFlags, predefined_carrier_sid })
        .execute()
    }
  }
}

/**
 * Adds the initial rows to a database that `migrate` has just created. Returns whether it did. The version row is written
 * last, so a database that has one, such as the platform's own, stays unchanged.
 */
export const seed = (db: Kysely<Tables>): Promise<boolean> =>
  inExclusiveTransaction(db, async (tx) => {
    const existingVersion = await tx.selectFrom('schema_version').select('version').executeTakeFirst()
    if (existingVersion) return false
    const existingProvider = await tx.selectFrom('service_providers').select('service_provider_sid').executeTakeFirst()
    if (existingProvider) {
      // The rows and the version are written in one transaction, so only the version is missing: for example, the database
      // was restored from a dump without it.
      await tx.insertInto('schema_version').values({ version: platformVersion }).execute()
      return false
    }
    await tx.insertInto('permissions').values(initialPermissions).execute()
    await tx
      .insertInto('service_providers')
      .values({ service_provider_sid: defaultServiceProviderSid, name: 'default service provider' })
      .execute()
    await tx
      .insertInto('accounts')
      .values({
        account_sid: defaultAccountSid,
        service_provider_sid: defaultServiceProviderSid,
        name: 'default account',
        // The column defaults to a trial plan, which this installation does not have.
        plan_type: 'free',
        webhook_secret: generateWebhookSecret(),
      })
      .execute()
    await tx.insertInto('products').values(initialProducts).execute()
    await addPredefinedCarriers(tx)
    await tx.insertInto('schema_version').values({ version: platformVersion }).execute()
    return true
  })
