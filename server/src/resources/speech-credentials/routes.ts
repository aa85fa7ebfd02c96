import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { createdResponseSchema, listQuerySchema, listResponseSchema } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Action } from '@trunkline/contract/policy/policy'
import {
  speechCredentialsOfAccount,
  speechCredentialsOfProvider,
} from '@trunkline/contract/resources/speech-credential'
import {
  speechCredentialDraftSchema,
  speechCredentialSchema,
  speechCredentialChangesSchema,
} from '@trunkline/contract/shapes/speech-credential'
import { vendors } from '@trunkline/contract/speech/vendors/all'
import type { Services } from '../../composition/services'
import { containsText, type ListOptions } from '../../db/repository'
import { mountRoute } from '../../http/mount-route'
import { listRecords } from '../../http/resource-routes'
import { unknownReference } from '../../shared/refusals'
import { createCredentialOperations, type CredentialOperations } from './credential-operations'
import { createAccountAuthorizer, authorizeProvider, isInProvider, isUsableByAccount, type OwnerFilter } from './rules'
import { speechVendorRoutes } from './vendor-routes'

/** Matches text in the label, the stored vendor and the vendor's display name. */
const matchesText = (text: string) => {
  const matchingVendors = vendors.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
  const vendorConditions = matchingVendors.map(({ vendor }) => sql`t.vendor = ${vendor}`)
  return sql`(${sql.join([containsText(sql`t.label`, text), containsText(sql`t.vendor`, text), ...vendorConditions], sql` or `)})`
}

const querySchema = listQuerySchema.extend({
  test: z
    .enum(['failed'])
    .optional()
    .describe('failed lists the credentials whose last test failed. An addition of this server.'),
})
type ListQuery = z.output<typeof querySchema>

/** The last test of a direction in use failed. */
const hasFailedTest = sql`((t.tts_tested_ok = 0 and coalesce(t.use_for_tts, 1) = 1)
  or (t.stt_tested_ok = 0 and coalesce(t.use_for_stt, 1) = 1))`

const filterConditions = ({ name, account_sid, test }: ListQuery) => [
  ...(name ? [matchesText(name)] : []),
  ...(test === 'failed' ? [hasFailedTest] : []),
  ...(account_sid ? [sql`t.account_sid = ${account_sid}`] : []),
]

const listCredentials = (
  speechCredentials: Services['speechCredentials'],
  query: ListQuery,
  actor: Actor,
  where: NonNullable<ListOptions['where']>,
) =>
  listRecords(speechCredentials, 'speech_credential', query, actor, () => ({
    where: [...where, ...filterConditions(query)],
  }))

const listSchemas = { query: querySchema, response: listResponseSchema(speechCredentialSchema) }

type CredentialServices = Pick<Services, 'speechCredentials' | 'accounts'>

export const speechCredentialRoutes = (
  app: FastifyInstance,
  services: CredentialServices & Pick<Services, 'store' | 'encryption' | 'speech'>,
): void => {
  const credentials = createCredentialOperations(services)
  accountCredentialRoutes(app, services, credentials)
  providerCredentialRoutes(app, services, credentials)
  speechVendorRoutes(app, services)
}

/** The credentials of an account, with those that its provider shares. */
const accountCredentialRoutes = (
  app: FastifyInstance,
  { speechCredentials, accounts }: CredentialServices,
  credentials: CredentialOperations,
): void => {
  const { list, create: createRoute, read, update: updateRoute, remove } = speechCredentialsOfAccount
  const authorizeAccount = createAccountAuthorizer(accounts)
  const authorizedFilter = async (actor: Actor, action: Action, account_sid: string): Promise<OwnerFilter> =>
    isUsableByAccount(await authorizeAccount(actor, action, account_sid))

  mountRoute(app, list, { ...listSchemas, requiresWellFormedSids: false }, async ({ params, query, actor }) => {
    const { account_sid, service_provider_sid } = await authorizeAccount(actor, 'list', params.account_sid)
    const isShared = sql`(t.account_sid is null and t.service_provider_sid = ${service_provider_sid})`
    return listCredentials(speechCredentials, { ...query, account_sid: undefined }, actor, [
      sql`(t.account_sid = ${account_sid} or ${isShared})`,
    ])
  })
  mountRoute(
    app,
    createRoute,
    { body: speechCredentialDraftSchema, response: createdResponseSchema, requiresWellFormedSids: false },
    async ({ params, body, actor }) =>
      credentials.create(body, await authorizeAccount(actor, 'create', params.account_sid), actor),
  )
  mountRoute(
    app,
    read,
    { response: speechCredentialSchema, requiresWellFormedSids: 'except-first' },
    async ({ params, actor }) =>
      credentials.read(actor, params.speech_credential_sid, await authorizedFilter(actor, 'read', params.account_sid)),
  )
  mountRoute(
    app,
    updateRoute,
    { body: speechCredentialChangesSchema, requiresWellFormedSids: 'except-first' },
    async ({ params, body, actor }) =>
      credentials.update(
        actor,
        params.speech_credential_sid,
        await authorizedFilter(actor, 'update', params.account_sid),
        body,
      ),
  )
  mountRoute(app, remove, { requiresWellFormedSids: 'except-first' }, async ({ params, actor }) =>
    credentials.remove(
      actor,
      params.speech_credential_sid,
      await authorizedFilter(actor, 'remove', params.account_sid),
    ),
  )
}

/** The credentials of a provider, with those of its accounts. */
const providerCredentialRoutes = (
  app: FastifyInstance,
  { speechCredentials, accounts }: CredentialServices,
  credentials: CredentialOperations,
): void => {
  const { list, create: createRoute, read, update: updateRoute, remove } = speechCredentialsOfProvider

  mountRoute(app, list, listSchemas, async ({ params: { service_provider_sid }, query, actor }) => {
    authorizeProvider(actor, service_provider_sid)
    // A list without paging has never included the credentials of accounts. Pages include them.
    const includesAccounts = query.page !== undefined || actor.scope === 'account'
    const belongsToProvider = sql`(t.service_provider_sid = ${service_provider_sid} or
      t.account_sid in (select account_sid from accounts where service_provider_sid = ${service_provider_sid}))`
    return listCredentials(speechCredentials, query, actor, [
      belongsToProvider,
      ...(includesAccounts ? [] : [sql`t.account_sid is null`]),
    ])
  })
  mountRoute(
    app,
    createRoute,
    { body: speechCredentialDraftSchema, response: createdResponseSchema },
    async ({ params: { service_provider_sid }, body, actor }) => {
      authorizeProvider(actor, service_provider_sid)
      const account_sid = actor.scope === 'account' ? actor.account_sid : (body.account_sid ?? null)
      if (account_sid && (await accounts.providerOf(account_sid)) !== service_provider_sid)
        throw unknownReference('account_sid')
      return credentials.create(body, { account_sid, service_provider_sid }, actor)
    },
  )
  mountRoute(
    app,
    read,
    { response: speechCredentialSchema },
    async ({ params: { service_provider_sid, speech_credential_sid }, actor }) => {
      authorizeProvider(actor, service_provider_sid)
      return credentials.read(actor, speech_credential_sid, isInProvider(service_provider_sid))
    },
  )
  mountRoute(app, updateRoute, { body: speechCredentialChangesSchema }, async ({ params, body, actor }) => {
    authorizeProvider(actor, params.service_provider_sid)
    await credentials.update(actor, params.speech_credential_sid, isInProvider(params.service_provider_sid), body)
  })
  mountRoute(app, remove, {}, async ({ params, actor }) => {
    authorizeProvider(actor, params.service_provider_sid)
    await credentials.remove(actor, params.speech_credential_sid, isInProvider(params.service_provider_sid))
  })
}
