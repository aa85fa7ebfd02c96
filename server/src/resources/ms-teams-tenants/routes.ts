import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod'
import { fullReach } from '@trunkline/contract/policy/can'
import type { listQuerySchema } from '@trunkline/contract/kit/fields'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { msTeamsTenant } from '@trunkline/contract/resources/ms-teams-tenant'
import {
  msTeamsTenantDraftSchema,
  msTeamsTenantSchema,
  msTeamsTenantChangesSchema,
} from '@trunkline/contract/shapes/ms-teams-tenant'
import { containsText, type ListOptions } from '../../db/repository'
import type { Row } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { notFound } from '../../http/problem'
import { requirePermission, resourceRoutes } from '../../http/resource-routes'
import type { Services } from '../../composition/services'
import { lockApplications, lockApplicationUse } from '../../shared/application-lock'
import { missingField, unknownReference } from '../../shared/refusals'
import { resolveAccountSid, findOwnerForAccount } from '../accounts/public'

const toListOptions = ({ name, account_sid, service_provider_sid }: z.output<typeof listQuerySchema>): ListOptions => ({
  ...(service_provider_sid ? { provider: service_provider_sid } : {}),
  text: name ? containsText(sql`t.tenant_fqdn`, name) : undefined,
  where: [...(account_sid ? [sql`t.account_sid = ${account_sid}`] : [])],
})

export const msTeamsTenantRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'store' | 'msTeamsTenants' | 'accounts' | 'applications'>,
): void => {
  const { store, msTeamsTenants, accounts, applications } = services

  /** The owner of a tenant. If the body also contains a provider, it must be the account's provider. */
  const resolveOwnerOfAccount = async (account_sid: string, requestedProviderSid: unknown): Promise<Owner> => {
    const owner = await findOwnerForAccount(accounts, account_sid)
    if (typeof requestedProviderSid === 'string' && requestedProviderSid !== owner.service_provider_sid)
      throw unknownReference('service_provider_sid')
    return owner
  }

  const resolveOwner = async (draft: Row, actor: Actor): Promise<Owner> => {
    if (actor.scope === 'admin' && !draft.service_provider_sid) throw missingField('service_provider_sid')
    const account_sid = resolveAccountSid(actor, draft.account_sid as string | null)
    if (!account_sid) throw missingField('account_sid')
    return resolveOwnerOfAccount(account_sid, actor.scope === 'admin' ? draft.service_provider_sid : undefined)
  }

  const checkApplication = async (application_sid: unknown, { account_sid }: Owner) => {
    if (typeof application_sid !== 'string') return
    const applicationRow = await applications.find(fullReach, application_sid)
    if (applicationRow?.account_sid !== account_sid) throw unknownReference('application_sid')
  }

  resourceRoutes(app, msTeamsTenant, msTeamsTenants, {
    rowSchema: msTeamsTenantSchema,
    createBody: msTeamsTenantDraftSchema,
    updateBody: msTeamsTenantChangesSchema,
    requiresWellFormedSids: false,
    missing: { read: notFound, update: notFound },
    listOptions: toListOptions,
    ownerOf: resolveOwner,
    insertRow: async (draft, ms_teams_tenant_sid, actor) => {
      const owner = await resolveOwner(draft, actor)
      await checkApplication(draft.application_sid, owner)
      const values: Row = { ...draft, ...owner, ms_teams_tenant_sid }
      await withTransaction(store.database.db, async (tx) => {
        await lockApplications(applications, [values], tx)
        await msTeamsTenants.insert(values, tx)
      })
    },
    updateRow: async (current, changes, actor) => {
      const owner = await resolveOwnerOfAccount(
        (changes.account_sid as string | null) ?? current.account_sid,
        changes.service_provider_sid,
      )
      requirePermission('ms_teams_tenant', 'create', actor, owner)
      const isMoved = owner.account_sid !== current.account_sid
      const application_sid = 'application_sid' in changes ? changes.application_sid : current.application_sid
      // A tenant that moves to another account must not keep an application of its previous account.
      const needsCheck = isMoved || 'application_sid' in changes
      if (needsCheck) await checkApplication(application_sid, owner)
      const values: Row = { ...changes, ...owner }
      await withTransaction(store.database.db, async (tx) => {
        const sid = current.ms_teams_tenant_sid
        if (needsCheck)
          await lockApplicationUse({ applications, records: msTeamsTenants }, { sid, current, values }, tx)
        await msTeamsTenants.update(sid, values, tx)
      })
    },
  })
}
