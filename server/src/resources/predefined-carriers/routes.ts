import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { fullReach } from '@trunkline/contract/policy/can'
import { createdResponseSchema } from '@trunkline/contract/kit/fields'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import {
  addPredefinedToAccount,
  addPredefinedToProvider,
  predefinedCarriers,
} from '@trunkline/contract/resources/predefined-carrier'
import { predefinedCarrierSchema } from '@trunkline/contract/shapes/predefined-carrier'
import type { WriteCheck } from '../../db/repository-options'
import { mountRoute } from '../../http/mount-route'
import { checkTenantSidFormat, isSid, checkTenantAccess, type TenantPathSegment } from '../../http/tenant-access'
import { badRequest, notFound } from '../../http/problem'
import { insufficientPrivileges } from '../../shared/refusals'
import type { Services } from '../../composition/services'
import { createPredefinedCarrierRepository } from './repository'

export const predefinedCarrierRoutes = (
  app: FastifyInstance,
  { store, accounts, providers, quotas }: Pick<Services, 'store' | 'accounts' | 'providers' | 'quotas'>,
  adminCarrier: boolean,
): void => {
  const repository = createPredefinedCarrierRepository(store)

  mountRoute(app, predefinedCarriers, { response: z.array(predefinedCarrierSchema) }, () => repository.list())

  const checkSidFormats = (
    actor: Actor,
    segment: TenantPathSegment,
    tenantSid: string,
    predefined_carrier_sid: string,
  ) => {
    checkTenantSidFormat(actor, segment, tenantSid)
    if (!isSid(predefined_carrier_sid)) throw badRequest('Bad request')
  }

  /** Called before any record is read, so that a refusal does not reveal whether the records exist. */
  const authorize = (actor: Actor, owner: Owner) => {
    checkTenantAccess(actor, 'create', 'voip_carrier', owner)
    if (adminCarrier && actor.scope === 'account') throw insufficientPrivileges()
  }

  const copyToTenant = async (
    predefined_carrier_sid: string,
    owner: Owner,
    check?: WriteCheck,
  ): Promise<{ sid: string }> => {
    const sid = await repository.copyToTenant(predefined_carrier_sid, owner, check)
    if (!sid) throw notFound()
    return { sid }
  }

  mountRoute(
    app,
    addPredefinedToProvider,
    { response: createdResponseSchema, requiresWellFormedSids: false },
    async ({ params: { service_provider_sid, predefined_carrier_sid }, actor }) => {
      checkSidFormats(actor, 'ServiceProviders', service_provider_sid, predefined_carrier_sid)
      const owner = { service_provider_sid, account_sid: null }
      authorize(actor, owner)
      if (!(await providers.find(fullReach, service_provider_sid))) throw notFound()
      return copyToTenant(predefined_carrier_sid, owner)
    },
  )

  mountRoute(
    app,
    addPredefinedToAccount,
    { response: createdResponseSchema, requiresWellFormedSids: false },
    async ({ params: { account_sid, predefined_carrier_sid }, actor }) => {
      checkSidFormats(actor, 'Accounts', account_sid, predefined_carrier_sid)
      const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
      const owner = { service_provider_sid, account_sid }
      authorize(actor, owner)
      if (!service_provider_sid) throw notFound()
      return copyToTenant(predefined_carrier_sid, owner, async (tx) => {
        await quotas.check('voip_carrier', actor, 1, tx)
        const addedGateways = await repository.countSipGateways(predefined_carrier_sid, tx)
        await quotas.check('sip_gateway', actor, addedGateways, tx)
      })
    },
  )
}
