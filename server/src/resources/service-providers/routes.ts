import type { FastifyInstance } from 'fastify'
import { messages as refusals } from '@trunkline/contract/messages/refusal'
import { messages } from '@trunkline/contract/messages/service-provider'
import { serviceProvider } from '@trunkline/contract/resources/service-provider'
import {
  serviceProviderDraftSchema,
  serviceProviderSchema,
  serviceProviderChangesSchema,
} from '@trunkline/contract/shapes/service-provider'
import { isDomain } from '@trunkline/contract/telephony/address'
import type { Row } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { notFoundWithoutBody, badRequest, inUse } from '../../http/problem'
import { resourceRoutes } from '../../http/resource-routes'
import type { Services } from '../../composition/services'
import { checkWebhookUrls, type WebhookDraft } from '../webhooks/public'
import type { StoredProvider } from './repository'

export const serviceProviderRoutes = (
  app: FastifyInstance,
  { store, providers, webhooks }: Pick<Services, 'store' | 'providers' | 'webhooks'>,
): void => {
  const { db } = store.database

  /** Throws 400 for an invalid value, except for one that is already stored. */
  const checkBody = (values: Row, current?: StoredProvider) => {
    checkWebhookUrls(['registration_hook'], values, current)
    const domain = values.ms_teams_fqdn
    if (typeof domain === 'string' && domain && domain !== current?.ms_teams_fqdn && !isDomain(domain))
      throw badRequest(messages.invalidTeamsDomain, 'ms_teams_fqdn')
  }

  resourceRoutes(app, serviceProvider, providers, {
    rowSchema: serviceProviderSchema,
    createBody: serviceProviderDraftSchema,
    updateBody: serviceProviderChangesSchema,
    missing: { read: notFoundWithoutBody, update: notFoundWithoutBody },
    // Accounts do not get the password of the provider's webhook: with it they could send requests to the webhook's server.
    redact: (row, { scope }) =>
      scope === 'account' && row.registration_hook
        ? { ...row, registration_hook: { ...row.registration_hook, password: null } }
        : row,
    insertRow: (draft, service_provider_sid, actor) => {
      checkBody(draft)
      return withTransaction(db, async (tx) => {
        const { registration_hook, ...values } = draft
        const registration_hook_sid = await webhooks.save(registration_hook as WebhookDraft | null, null, {
          actor,
          connection: tx,
          field: 'registration_hook',
        })
        await providers.insert({ ...values, service_provider_sid, registration_hook_sid }, tx)
      })
    },
    updateRow: (current, changes, actor) => {
      checkBody(changes, current)
      return withTransaction(db, async (tx) => {
        const { registration_hook, ...values } = changes as Row & { registration_hook?: WebhookDraft | null }
        // A missing or empty hook means no change.
        const hookDraft =
          registration_hook && Object.keys(registration_hook).length === 0 ? undefined : registration_hook
        const registration_hook_sid = await webhooks.save(hookDraft, current.registration_hook_sid, {
          actor,
          connection: tx,
          field: 'registration_hook',
        })
        await providers.update(current.service_provider_sid, { ...values, registration_hook_sid }, tx)
        await webhooks.removeUnlinked([current.registration_hook_sid], tx)
      })
    },
    removalEvent: 'service_provider_deleted',
    remove: async ({ service_provider_sid, registration_hook_sid }) => {
      const dependents = await providers.dependents(service_provider_sid)
      if (dependents.length > 0) throw inUse(refusals.insufficientPrivileges, dependents, 403)
      await withTransaction(db, async (tx) => {
        await providers.deleteContents(service_provider_sid, tx)
        await providers.remove(service_provider_sid, tx)
        await webhooks.removeUnlinked([registration_hook_sid], tx)
      })
    },
  })
}
