import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can, fullReach, getReach } from '@trunkline/contract/policy/can'
import { apiKey, apiKeysOfAccount, apiKeysOfProvider } from '@trunkline/contract/resources/api-key'
import { apiKeyDraftSchema, createdApiKeySchema, apiKeySchema, type ApiKey } from '@trunkline/contract/shapes/api-key'
import type { WithOwner } from '../../db/repository'
import { toColumnTime } from '../../db/time'
import { mountRoute } from '../../http/mount-route'
import { badRequest, notFound } from '../../http/problem'
import { logSecurityEvent } from '../../http/security-log'
import { findPermitted } from '../../http/resource-routes'
import type { Services } from '../../composition/services'
import { unknownReference } from '../../shared/refusals'
import { maskTokens } from './masked-tokens'

const refusals = {
  createAdmin: 'service provider token may not be used to create admin token',
  createForeignByProvider: 'a service provider token can only be used to create tokens for the same service provider',
  createForeignByAccount: 'an account level token can only be used to create account level tokens for the same account',
  removeAdmin: 'a service provider user may not delete an admin token',
  removeForeignByProvider: 'a service provider user may not delete api key from another service provider',
  removeForeignByAccount: 'a user may not delete a token associated with a different account',
}

const findCreationRefusal = (actor: Actor, { account_sid, service_provider_sid }: Owner): string | undefined => {
  if (can(actor, 'create', 'api_key', { account_sid, service_provider_sid })) return undefined
  if (actor.scope === 'account') return refusals.createForeignByAccount
  return account_sid || service_provider_sid ? refusals.createForeignByProvider : refusals.createAdmin
}

const findRemovalRefusal = (actor: Actor, { owner }: WithOwner<ApiKey>): string | undefined => {
  if (can(actor, 'remove', 'api_key', owner)) return undefined
  if (actor.scope === 'account') return refusals.removeForeignByAccount
  return owner.service_provider_sid ? refusals.removeForeignByProvider : refusals.removeAdmin
}

export const apiKeyRoutes = (
  app: FastifyInstance,
  { apiKeys, accounts, providers }: Pick<Services, 'apiKeys' | 'accounts' | 'providers'>,
): void => {
  /** The owner of a new key. The account determines the provider. */
  const resolveOwner = async (draft: {
    account_sid?: string | null
    service_provider_sid?: string | null
  }): Promise<Owner> => {
    const { account_sid, service_provider_sid } = draft
    if (!account_sid) return { account_sid: null, service_provider_sid: service_provider_sid ?? null }
    return { account_sid, service_provider_sid: (await accounts.providerOf(account_sid)) ?? null }
  }

  /** Throws 400 if the account or the provider does not exist. */
  const checkOwner = async (owner: Owner, draft: { account_sid?: string | null }) => {
    if (draft.account_sid && !owner.service_provider_sid) throw unknownReference('account_sid')
    const { service_provider_sid } = owner
    if (service_provider_sid && !(await providers.find(fullReach, service_provider_sid)))
      throw unknownReference('service_provider_sid')
  }

  mountRoute(
    app,
    apiKey.create,
    { body: apiKeyDraftSchema, response: createdApiKeySchema },
    async ({ body, actor, request }) => {
      const owner = await resolveOwner(body)
      const refusal = findCreationRefusal(actor, owner)
      if (refusal) throw badRequest(refusal)
      await checkOwner(owner, body)
      const sid = randomUUID()
      const token = randomUUID()
      await apiKeys.insert(
        {
          api_key_sid: sid,
          token,
          account_sid: owner.account_sid,
          service_provider_sid: owner.account_sid ? null : owner.service_provider_sid,
          expires_at: body.expires_at ? toColumnTime(new Date(body.expires_at)) : null,
        },
        body.name?.trim() || null,
      )
      logSecurityEvent(request, 'api_key_created', {
        target_sid: sid,
        target_account_sid: owner.account_sid,
        target_service_provider_sid: owner.service_provider_sid,
      })
      return { sid, token }
    },
  )

  mountRoute(app, apiKey.remove, { requiresWellFormedSids: false }, async ({ params, actor, request }) => {
    const key = await apiKeys.find(fullReach, params.api_key_sid)
    if (!key) throw notFound()
    const refusal = findRemovalRefusal(actor, key)
    if (refusal) throw badRequest(refusal)
    await apiKeys.remove(params.api_key_sid)
    logSecurityEvent(request, 'api_key_deleted', {
      target_sid: params.api_key_sid,
      target_account_sid: key.owner.account_sid,
      target_service_provider_sid: key.owner.service_provider_sid,
    })
  })

  const listResponse = z.array(apiKeySchema)
  mountRoute(app, apiKeysOfAccount, { response: listResponse }, async ({ params, actor }) => {
    await findPermitted({ kind: 'account', repository: accounts }, 'read', actor, params.account_sid)
    const where = [sql`t.account_sid = ${params.account_sid}`]
    return maskTokens((await apiKeys.list(getReach(actor, 'api_key'), { where })) as WithOwner<ApiKey>[], actor)
  })
  mountRoute(app, apiKeysOfProvider, { response: listResponse }, async ({ params, actor }) => {
    await findPermitted({ kind: 'service_provider', repository: providers }, 'read', actor, params.service_provider_sid)
    const where = [sql`t.service_provider_sid = ${params.service_provider_sid}`]
    return maskTokens((await apiKeys.list(getReach(actor, 'api_key'), { where })) as WithOwner<ApiKey>[], actor)
  })
}
