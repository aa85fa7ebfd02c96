import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import type { Services } from '../../composition/services'
import type { WithOwner } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { inUse } from '../../http/problem'
import { requirePermission } from '../../http/resource-routes'
import { lockApplications, lockApplicationUse } from '../../shared/application-lock'
import { insufficientPrivileges } from '../../shared/refusals'
import { createCarrierAggregateRepository, type GatewayLists } from './carrier-aggregate'
import { addStoredColumns, checkCarrier, checkGateways, isApplicationChecked, resolveCarrierChanges } from './rules'

export type CarrierServices = Pick<
  Services,
  'store' | 'voipCarriers' | 'accounts' | 'providers' | 'quotas' | 'sipGateways' | 'smppGateways' | 'applications'
>

export interface CarrierSettings {
  /** Whether the installation reserves carriers for administrators and providers. */
  adminCarrier: boolean
  minimumNetmask?: number
}

/** Separates the gateway lists of a body from the columns of the carrier. */
const splitGateways = ({ sip_gateways, smpp_gateways, ...carrier }: Row): { carrier: Row; gateways: GatewayLists } => ({
  carrier,
  gateways: { sip_gateways, smpp_gateways } as GatewayLists,
})

/** Checks and writes carriers for the routes of all three path families. */
export const createCarrierWriter = (services: CarrierServices, { adminCarrier, minimumNetmask }: CarrierSettings) => {
  const { store, voipCarriers, quotas, sipGateways, smppGateways, applications } = services
  const aggregates = createCarrierAggregateRepository(store, voipCarriers, {
    sip_gateways: sipGateways,
    smpp_gateways: smppGateways,
  })

  /** Throws if the installation reserves carriers for administrators and providers, and the actor is neither. */
  const checkWriteAccess = (actor: Actor): void => {
    if (adminCarrier && actor.scope === 'account') throw insufficientPrivileges()
  }

  return {
    checkMayWrite: checkWriteAccess,
    computeVersion: (voip_carrier_sid: string) => aggregates.computeVersion(voip_carrier_sid),

    async create(draft: Row, owner: Owner, voip_carrier_sid: string, actor: Actor): Promise<void> {
      const { carrier, gateways } = splitGateways(draft)
      const { register_status: _, created_at: __, ...values }: Row = { ...carrier, ...owner }
      await checkCarrier(values, {}, services)
      checkGateways(gateways, values, minimumNetmask)
      await aggregates.insert({ ...values, voip_carrier_sid }, gateways, async (tx) => {
        await lockApplications(applications, [values], tx)
        await quotas.check('voip_carrier', actor, 1, tx)
        await quotas.check('sip_gateway', actor, gateways.sip_gateways?.length ?? 0, tx)
      })
    },

    async update(current: WithOwner<VoipCarrier>, body: Row, actor: Actor): Promise<void> {
      checkWriteAccess(actor)
      const { carrier, gateways } = splitGateways(body)
      const { version, ...columns } = carrier
      const { values, owner } = await resolveCarrierChanges(current, columns, services)
      const storedGateways = await aggregates.readGateways(current.voip_carrier_sid)
      checkGateways(addStoredColumns(gateways, storedGateways), { ...current, ...values }, minimumNetmask)
      // Checks the permission for the new owner too, so that no carrier is moved to a foreign tenant.
      requirePermission('voip_carrier', 'update', actor, owner)
      if (owner.account_sid !== current.account_sid || owner.service_provider_sid !== current.service_provider_sid) {
        const references = await voipCarriers.foreignReferences(current.voip_carrier_sid, owner)
        if (references.length > 0) throw inUse('phone numbers or routes of other accounts use this carrier', references)
      }
      const lockApplication = async (tx: Connection) => {
        const sid = current.voip_carrier_sid
        if (isApplicationChecked(values, current))
          await lockApplicationUse({ applications, records: voipCarriers }, { sid, current, values }, tx)
      }
      const checkGatewayQuota = async (tx: Connection) => {
        if (!gateways.sip_gateways) return
        await quotas.lockAccount(actor, tx)
        // The list replaces the stored gateways, so only the difference counts.
        const { sip_gateways: replacedGateways } = await aggregates.readGateways(current.voip_carrier_sid, tx)
        await quotas.check('sip_gateway', actor, gateways.sip_gateways.length - replacedGateways.length, tx)
      }
      await aggregates.update(current.voip_carrier_sid, values, gateways, {
        expectedVersion: version as string | undefined,
        check: async (tx) => {
          await lockApplication(tx)
          await checkGatewayQuota(tx)
        },
      })
    },

    async remove({ voip_carrier_sid }: Pick<VoipCarrier, 'voip_carrier_sid'>, actor: Actor): Promise<void> {
      checkWriteAccess(actor)
      const dependents = await voipCarriers.dependents(voip_carrier_sid)
      const isUsedByNumbers = dependents.some(({ kind }) => kind === 'phone_number')
      if (dependents.length > 0)
        throw inUse(isUsedByNumbers ? messages.usedByNumbers : messages.usedByRoutes, dependents)
      await voipCarriers.removeWithGateways(voip_carrier_sid)
    },
  }
}

export type CarrierWriter = ReturnType<typeof createCarrierWriter>
