import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { createdResponseSchema } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { getReach } from '@trunkline/contract/policy/can'
import {
  googleCustomVoice,
  googleCustomVoices as googleCustomVoiceList,
  voiceCloningKey,
} from '@trunkline/contract/resources/google-custom-voice'
import {
  googleCustomVoiceDraftSchema,
  googleCustomVoiceSchema,
  googleCustomVoiceChangesSchema,
} from '@trunkline/contract/shapes/google-custom-voice'
import { mountRoute } from '../../http/mount-route'
import { badRequest, notFound } from '../../http/problem'
import { findPermitted, requirePermission } from '../../http/resource-routes'
import { readUploadedText, mountUploadRoutes } from '../../http/multipart-upload'
import type { Services } from '../../composition/services'

/** Number of characters of a cloning key that the list returns. */
const visibleKeyLength = 100
/** Size limit of an uploaded cloning key. */
const maxCloningKeyBytes = 2 ** 20

const listQuery = z.looseObject({
  speech_credential_sid: z.string().optional(),
  label: z.string().optional(),
  account_sid: z.string().optional(),
  service_provider_sid: z.string().optional(),
})
type ListQuery = z.output<typeof listQuery>

const shortenCloningKey = ({ voice_cloning_key, ...voice }: z.output<typeof googleCustomVoiceSchema>) =>
  voice_cloning_key ? { ...voice, voice_cloning_key: `${voice_cloning_key.slice(0, visibleKeyLength)}...` } : voice

/** The tenant whose voices are listed: an account, with the voices that its provider shares, or only a provider. */
const resolveTenant = (actor: Actor, query: ListQuery): { account_sid?: string; service_provider_sid?: string } => {
  if (actor.scope === 'account') return actor
  const { account_sid } = query
  if (actor.scope === 'service_provider') return { account_sid, service_provider_sid: actor.service_provider_sid }
  if (!account_sid && !query.service_provider_sid)
    throw badRequest('missing account_sid or service_provider_sid in query parameters')
  return query
}

/** The SQL condition that a row of the table `credentials` belongs to the tenant. */
const tenantCondition = ({
  account_sid,
  service_provider_sid,
}: ReturnType<typeof resolveTenant>): RawBuilder<unknown> => {
  const alternatives = [
    ...(account_sid ? [sql`credentials.account_sid = ${account_sid}`] : []),
    ...(service_provider_sid
      ? [sql`(credentials.account_sid is null and credentials.service_provider_sid = ${service_provider_sid})`]
      : []),
  ]
  return sql`(${sql.join(alternatives, sql` or `)})`
}

const listSchemas = { query: listQuery, response: z.array(googleCustomVoiceSchema) }
const createSchemas = { body: googleCustomVoiceDraftSchema, response: createdResponseSchema }

export const googleCustomVoiceRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'googleCustomVoices' | 'speechCredentials'>,
): void => {
  const { googleCustomVoices: voices, speechCredentials } = services
  const kind = 'google_custom_voice'

  /** The credential of a voice. Throws unless the actor may do this with it. */
  const findPermittedCredential = (action: 'list' | 'update', actor: Actor, sid: string, missingProblem = notFound) =>
    findPermitted(
      { kind: 'speech_credential', repository: speechCredentials, missing: { [action]: missingProblem } },
      action,
      actor,
      sid,
    )
  const invalidCredentialProblem = () => badRequest('Invalid speech_credential_sid', 'speech_credential_sid')
  const findPermittedVoice = (action: 'read' | 'update' | 'remove', actor: Actor, sid: string) =>
    findPermitted({ kind, repository: voices, missing: { read: notFound, update: notFound } }, action, actor, sid)

  const findListConditions = async (actor: Actor, query: ListQuery): Promise<RawBuilder<unknown>[]> => {
    const { speech_credential_sid, label } = query
    if (speech_credential_sid) {
      await findPermittedCredential('list', actor, speech_credential_sid)
      return [sql`t.speech_credential_sid = ${speech_credential_sid}`]
    }
    const labelCondition = label ? sql`and credentials.label = ${label}` : sql``
    return [
      sql`t.speech_credential_sid in (select credentials.speech_credential_sid from speech_credentials credentials
        where ${tenantCondition(resolveTenant(actor, query))} ${labelCondition})`,
    ]
  }

  mountRoute(app, googleCustomVoiceList, listSchemas, async ({ query, actor }) => {
    const voiceList = await voices.list(getReach(actor, kind), { where: await findListConditions(actor, query) })
    return (Array.isArray(voiceList) ? voiceList : voiceList.data).map(shortenCloningKey)
  })
  mountRoute(app, googleCustomVoice.create, createSchemas, async ({ body, actor }) => {
    const { owner } = await findPermittedCredential(
      'update',
      actor,
      body.speech_credential_sid,
      invalidCredentialProblem,
    )
    requirePermission(kind, 'create', actor, owner)
    // A separate route uploads the cloning key.
    const { voice_cloning_key: _, ...values } = body
    const google_custom_voice_sid = randomUUID()
    await voices.insert({
      ...values,
      google_custom_voice_sid,
      reported_usage: values.reported_usage ?? undefined,
      use_voice_cloning_key: Number(values.use_voice_cloning_key ?? 0),
    })
    return { sid: google_custom_voice_sid }
  })
  mountRoute(
    app,
    googleCustomVoice.read,
    { response: googleCustomVoiceSchema, requiresWellFormedSids: false },
    ({ params, actor }) => findPermittedVoice('read', actor, params.google_custom_voice_sid),
  )
  mountRoute(
    app,
    googleCustomVoice.update,
    { body: googleCustomVoiceChangesSchema, requiresWellFormedSids: false },
    async ({ params, body, actor }) => {
      const { voice_cloning_key: _, speech_credential_sid, ...changes } = body
      const current = await findPermittedVoice('update', actor, params.google_custom_voice_sid)
      if (speech_credential_sid !== undefined && speech_credential_sid !== current.speech_credential_sid)
        await findPermittedCredential('update', actor, speech_credential_sid, invalidCredentialProblem)
      await voices.update(current.google_custom_voice_sid, { ...changes, speech_credential_sid })
    },
  )
  mountRoute(app, googleCustomVoice.remove, { requiresWellFormedSids: false }, async ({ params, actor }) => {
    const { google_custom_voice_sid } = await findPermittedVoice('remove', actor, params.google_custom_voice_sid)
    await voices.remove(google_custom_voice_sid)
  })

  const uploadOptions = { requiresWellFormedSids: false, bodyLimit: maxCloningKeyBytes }
  mountUploadRoutes(app, (scopedApp) =>
    mountRoute(scopedApp, voiceCloningKey, uploadOptions, async ({ params, actor, request }) => {
      const { google_custom_voice_sid } = await findPermittedVoice('update', actor, params.google_custom_voice_sid)
      await voices.update(google_custom_voice_sid, { voice_cloning_key: await readUploadedText(request, 'file') })
    }),
  )
}
