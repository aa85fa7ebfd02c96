import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { createdResponse } from '@trunkline/contract/kit/fields'
import type { Actor } from '@trunkline/contract/policy/actor'
import { getReach } from '@trunkline/contract/policy/can'
import {
  googleCustomVoice,
  googleCustomVoices as list,
  voiceCloningKey,
} from '@trunkline/contract/resources/google-custom-voice'
import { create, row, update } from '@trunkline/contract/shapes/google-custom-voice'
import { mountRoute } from '../../http/mount-route'
import { badRequest, notFound } from '../../http/problem'
import { findPermitted, requirePermission } from '../../http/resource-routes'
import { readUploadedText, mountUploadRoutes } from '../../http/multipart-upload'
import type { Services } from '../../services'
import { belongsToCredential } from './repository'

/** Characters of a cloning key that the list shows. */
const visibleKeyLength = 100
/** Size limit of an uploaded cloning key. */
const maxKeyBytes = 2 ** 20

const listQuery = z.looseObject({
  speech_credential_sid: z.string().optional(),
  label: z.string().optional(),
  account_sid: z.string().optional(),
  service_provider_sid: z.string().optional(),
})
type Query = z.output<typeof listQuery>

const shortenKey = ({ voice_cloning_key, ...voice }: z.output<typeof row>) =>
  voice_cloning_key ? { ...voice, voice_cloning_key: `${voice_cloning_key.slice(0, visibleKeyLength)}...` } : voice

/** Which tenant's credentials to list: an account's and those shared by its provider, or the provider's own. */
const resolveTenant = (actor: Actor, query: Query): { account_sid?: string; service_provider_sid?: string } => {
  if (actor.scope === 'account') return actor
  const { account_sid } = query
  if (actor.scope === 'service_provider') return { account_sid, service_provider_sid: actor.service_provider_sid }
  if (!account_sid && !query.service_provider_sid)
    throw badRequest('missing account_sid or service_provider_sid in query parameters')
  return query
}

const belongsToTenant = ({
  account_sid,
  service_provider_sid,
}: ReturnType<typeof resolveTenant>): RawBuilder<unknown> => {
  const alternatives = [
    ...(account_sid ? [sql`s.account_sid = ${account_sid}`] : []),
    ...(service_provider_sid
      ? [sql`(s.account_sid is null and s.service_provider_sid = ${service_provider_sid})`]
      : []),
  ]
  return sql`(${sql.join(alternatives, sql` or `)})`
}

export const googleCustomVoiceRoutes = (app: FastifyInstance, services: Services): void => {
  const { googleCustomVoices: voices, speechCredentials } = services
  const kind = 'google_custom_voice'

  /** The credential of a voice, if the actor is permitted this action. */
  const findCredential = (action: 'list' | 'update', actor: Actor, sid: string, missing = notFound) =>
    findPermitted(
      { kind: 'speech_credential', rows: speechCredentials, missing: { [action]: missing } },
      action,
      actor,
      sid,
    )
  const unknownCredential = () => badRequest('Invalid speech_credential_sid', 'speech_credential_sid')
  const findVoice = (action: 'read' | 'update' | 'remove', actor: Actor, sid: string) =>
    findPermitted({ kind, rows: voices, missing: { read: notFound, update: notFound } }, action, actor, sid)

  const listConditions = async (actor: Actor, query: Query): Promise<RawBuilder<unknown>[]> => {
    const { speech_credential_sid, label } = query
    if (speech_credential_sid) {
      await findCredential('list', actor, speech_credential_sid)
      return [belongsToCredential(speech_credential_sid)]
    }
    const withLabel = label ? sql`and s.label = ${label}` : sql``
    return [
      sql`t.speech_credential_sid in (select s.speech_credential_sid from speech_credentials s
        where ${belongsToTenant(resolveTenant(actor, query))} ${withLabel})`,
    ]
  }

  mountRoute(app, list, { query: listQuery, response: z.array(row) }, async ({ query, actor }) => {
    const result = await voices.list(getReach(actor, kind), { where: await listConditions(actor, query) })
    return (Array.isArray(result) ? result : result.data).map(shortenKey)
  })
  mountRoute(app, googleCustomVoice.create, { body: create, response: createdResponse }, async ({ body, actor }) => {
    const { owner } = await findCredential('update', actor, body.speech_credential_sid, unknownCredential)
    requirePermission(kind, 'create', actor, owner)
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
  mountRoute(app, googleCustomVoice.read, { response: row, checkSids: false }, ({ params, actor }) =>
    findVoice('read', actor, params.google_custom_voice_sid),
  )
  mountRoute(app, googleCustomVoice.update, { body: update, checkSids: false }, async ({ params, body, actor }) => {
    const { voice_cloning_key: _, speech_credential_sid, ...changes } = body
    const current = await findVoice('update', actor, params.google_custom_voice_sid)
    if (speech_credential_sid && speech_credential_sid !== current.speech_credential_sid)
      await findCredential('update', actor, speech_credential_sid, unknownCredential)
    await voices.update(current.google_custom_voice_sid, { ...changes, speech_credential_sid })
  })
  mountRoute(app, googleCustomVoice.remove, { checkSids: false }, async ({ params, actor }) => {
    const { google_custom_voice_sid } = await findVoice('remove', actor, params.google_custom_voice_sid)
    await voices.remove(google_custom_voice_sid)
  })

  const uploadOptions = { checkSids: false, bodyLimit: maxKeyBytes }
  mountUploadRoutes(app, (scopedApp) =>
    mountRoute(scopedApp, voiceCloningKey, uploadOptions, async ({ params, actor, request }) => {
      const { google_custom_voice_sid } = await findVoice('update', actor, params.google_custom_voice_sid)
      await voices.update(google_custom_voice_sid, { voice_cloning_key: await readUploadedText(request, 'file') })
    }),
  )
}
