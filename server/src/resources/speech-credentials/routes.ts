import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { createdResponse, listQuery, listResponse } from '@trunkline/contract/kit/fields'
import { messages } from '@trunkline/contract/messages/speech-credential'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import {
  speechCredentialsOfAccount,
  speechCredentialsOfProvider,
} from '@trunkline/contract/resources/speech-credential'
import { create, row, update } from '@trunkline/contract/shapes/speech-credential'
import { findVendorById } from '@trunkline/contract/speech/vendors'
import { vendors } from '@trunkline/contract/speech/vendors/all'
import { containsText, type ListOptions } from '../../db/repository'
import type { Row } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { mountRoute } from '../../http/mount-route'
import { notFound, unprocessable } from '../../http/problem'
import { findPermitted, listRecords, requirePermission } from '../../http/resource-routes'
import type { Services } from '../../services'
import { unknownReference } from '../../shared/refusals'
import {
  accountGate,
  checkImmutable,
  encryptChanges,
  encryptDraft,
  findVendor,
  isInProvider,
  providerGate,
} from './rules'
import { untestedColumns } from './repository'
import { speechVendorRoutes } from './vendor-routes'

/** Matches text in the label, the stored vendor and the vendor's display name. */
const matchesText = (text: string) => {
  const matchingVendors = vendors.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
  const names = matchingVendors.map(({ vendor }) => sql`t.vendor = ${vendor}`)
  return sql`(${sql.join([containsText(sql`t.label`, text), containsText(sql`t.vendor`, text), ...names], sql` or `)})`
}

type Query = z.output<typeof listQuery>

const filterConditions = ({ name, account_sid }: Query) => [
  ...(name ? [matchesText(name)] : []),
  ...(account_sid ? [sql`t.account_sid = ${account_sid}`] : []),
]

export const speechCredentialRoutes = (app: FastifyInstance, services: Services): void => {
  speechVendorRoutes(app, services)
  const { store, speechCredentials, accounts, encryption: vault } = services
  const shapes = { query: listQuery, response: listResponse(row) }

  const findCredential = (
    action: 'read' | 'update' | 'remove',
    actor: Actor,
    sid: string,
    isInScope: (owner: Owner) => boolean,
  ) =>
    findPermitted(
      { kind: 'speech_credential', rows: speechCredentials, missing: { read: notFound, update: notFound } },
      action,
      actor,
      sid,
    ).then((credential) => {
      if (!isInScope(credential.owner)) throw notFound()
      return credential
    })

  const addCredential = async (body: z.output<typeof create>, owner: Owner, actor: Actor) => {
    requirePermission('speech_credential', 'create', actor, owner)
    const vendor = findVendor(body.vendor)
    const credential = encryptDraft(vault, vendor, body, actor)
    const { label, use_for_tts, use_for_stt } = body
    const values = { vendor: body.vendor, label: label || null, ...owner }
    const flags = { use_for_tts: Number(use_for_tts ?? 1), use_for_stt: Number(use_for_stt ?? 1) }
    const speech_credential_sid = randomUUID()
    await withTransaction(store.database.db, async (tx) => {
      // The table has no unique key. The provider is locked while labels are compared and the row is written.
      const { service_provider_sid } = owner
      await sql`update service_providers set name = name where service_provider_sid = ${service_provider_sid}`.execute(
        tx,
      )
      if (values.label !== null && (await speechCredentials.isDuplicateLabel(values, tx)))
        throw unprocessable(messages.duplicateLabel(values.label), 'label')
      await speechCredentials.insert({ speech_credential_sid, credential, ...values, ...flags }, tx)
    })
    return { sid: speech_credential_sid }
  }

  const changeCredential = async (current: Row & { speech_credential_sid: string }, body: Row) => {
    const { speech_credential_sid: sid } = current
    const { use_for_tts, use_for_stt } = body
    checkImmutable(current, body)
    if (use_for_tts === undefined && use_for_stt === undefined) throw unprocessable(messages.onlyFlagsMutable)
    const stored = await speechCredentials.decrypt(sid)
    if (!stored) throw notFound()
    const credential = encryptChanges(vault, findVendorById(stored.vendor), stored, body)
    // Results of earlier tests do not apply to a changed credential.
    const testColumns = credential === undefined ? {} : untestedColumns
    await speechCredentials.update(sid, { use_for_tts, use_for_stt, credential, ...testColumns })
  }

  const authorizeAccount = accountGate(accounts)
  const listCredentials = (query: Query, actor: Actor, where: ListOptions['where']) =>
    listRecords(speechCredentials, 'speech_credential', query, actor, () => ({
      where: [...where!, ...filterConditions(query)],
    }))

  mountRoute(
    app,
    speechCredentialsOfAccount.list,
    { ...shapes, checkSids: false },
    async ({ params, query, actor }) => {
      const { account_sid, service_provider_sid } = await authorizeAccount(actor, 'list', params.account_sid)
      const isShared = sql`(t.account_sid is null and t.service_provider_sid = ${service_provider_sid})`
      return listCredentials({ ...query, account_sid: undefined }, actor, [
        sql`(t.account_sid = ${account_sid} or ${isShared})`,
      ])
    },
  )
  mountRoute(
    app,
    speechCredentialsOfAccount.create,
    { body: create, response: createdResponse, checkSids: false },
    async ({ params, body, actor }) =>
      addCredential(body, await authorizeAccount(actor, 'create', params.account_sid), actor),
  )

  mountRoute(app, speechCredentialsOfProvider.list, shapes, async ({ params, query, actor }) => {
    const { service_provider_sid } = params
    providerGate(actor, service_provider_sid)
    // The unpaged list has never included the accounts' credentials. Pages include them.
    const includesAccounts = query.page !== undefined || actor.scope === 'account'
    const belongsToProvider = sql`(t.service_provider_sid = ${service_provider_sid} or
      t.account_sid in (select account_sid from accounts where service_provider_sid = ${service_provider_sid}))`
    return listCredentials(query, actor, [belongsToProvider, ...(includesAccounts ? [] : [sql`t.account_sid is null`])])
  })
  mountRoute(
    app,
    speechCredentialsOfProvider.create,
    { body: create, response: createdResponse },
    async ({ params, body, actor }) => {
      const { service_provider_sid } = params
      providerGate(actor, service_provider_sid)
      const account_sid = actor.scope === 'account' ? actor.account_sid : (body.account_sid ?? null)
      if (account_sid && (await accounts.providerOf(account_sid)) !== service_provider_sid)
        throw unknownReference('account_sid')
      return addCredential(body, { account_sid, service_provider_sid }, actor)
    },
  )

  const accountFilter = async (actor: Actor, action: 'read' | 'update' | 'remove', account_sid: string) => {
    const owner = await authorizeAccount(actor, action, account_sid)
    return (credentialOwner: Owner) =>
      credentialOwner.account_sid === account_sid ||
      (credentialOwner.account_sid === null && credentialOwner.service_provider_sid === owner.service_provider_sid)
  }

  mountRoute(
    app,
    speechCredentialsOfAccount.read,
    { response: row, checkSids: 'after-gate' },
    async ({ params, actor }) =>
      findCredential(
        'read',
        actor,
        params.speech_credential_sid,
        await accountFilter(actor, 'read', params.account_sid),
      ),
  )
  mountRoute(
    app,
    speechCredentialsOfAccount.update,
    { body: update, checkSids: 'after-gate' },
    async ({ params, body, actor }) => {
      const { speech_credential_sid } = params
      const isInScope = await accountFilter(actor, 'update', params.account_sid)
      await changeCredential(await findCredential('update', actor, speech_credential_sid, isInScope), body)
    },
  )
  mountRoute(app, speechCredentialsOfAccount.remove, { checkSids: 'after-gate' }, async ({ params, actor }) => {
    const { speech_credential_sid } = params
    await findCredential(
      'remove',
      actor,
      speech_credential_sid,
      await accountFilter(actor, 'remove', params.account_sid),
    )
    await speechCredentials.remove(speech_credential_sid)
  })

  mountRoute(app, speechCredentialsOfProvider.read, { response: row }, async ({ params, actor }) => {
    providerGate(actor, params.service_provider_sid)
    return findCredential('read', actor, params.speech_credential_sid, isInProvider(params.service_provider_sid))
  })
  mountRoute(app, speechCredentialsOfProvider.update, { body: update }, async ({ params, body, actor }) => {
    providerGate(actor, params.service_provider_sid)
    const { speech_credential_sid, service_provider_sid } = params
    await changeCredential(
      await findCredential('update', actor, speech_credential_sid, isInProvider(service_provider_sid)),
      body,
    )
  })
  mountRoute(app, speechCredentialsOfProvider.remove, {}, async ({ params, actor }) => {
    providerGate(actor, params.service_provider_sid)
    await findCredential('remove', actor, params.speech_credential_sid, isInProvider(params.service_provider_sid))
    await speechCredentials.remove(params.speech_credential_sid)
  })
}
