import type { FastifyInstance, FastifyReply } from 'fastify'
import { fullReach } from '@trunkline/contract/policy/can'
import { synthesize, synthesizeWithAnyCredential } from '@trunkline/contract/resources/tts-cache'
import { synthesisRequestSchema, type SynthesisRequest } from '@trunkline/contract/shapes/tts-cache'
import { hasCustomVoices } from '@trunkline/contract/speech/vendors'
import { mountRoute } from '../../http/mount-route'
import { checkTenantSidFormat, checkTenantAccess } from '../../http/tenant-access'
import { badRequest, unprocessable } from '../../http/problem'
import { SpeechError, type ClonedVoice, type SpeechCredential, type SpeechRequest } from '../../ports/speech'
import type { Services } from '../../composition/services'
import { isUsableByAccount, type OwnerFilter } from '../speech-credentials/public'
import { synthesizeCached } from './repository'

/** The name of a custom voice in applications. */
const customVoicePattern = /^custom_(.+)$/

/** Synthesizes speech for an account, with a credential that its calls may use. Administrators may use any credential. */
export const synthesisRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'accounts' | 'speechCredentials' | 'googleCustomVoices' | 'speech' | 'cache'>,
): void => {
  const { accounts, speechCredentials, googleCustomVoices, speech, cache } = services

  /** The account with its provider. Throws 400 if the account does not exist or is inactive. */
  const findActiveAccount = async (account_sid: string) => {
    const account = await accounts.find(fullReach, account_sid)
    if (!account?.is_active || !account.service_provider_sid)
      throw badRequest(`Account not found for sid ${account_sid}`)
    return { account_sid: account.account_sid, service_provider_sid: account.service_provider_sid }
  }

  const findCredential = async (
    sid: string,
    isUsable: OwnerFilter,
  ): Promise<{ speechCredential: SpeechCredential; encryptedCredential: string | null }> => {
    const owner = (await speechCredentials.find(fullReach, sid))?.owner
    const decrypted = owner && isUsable(owner) ? await speechCredentials.decrypt(sid) : undefined
    if (decrypted?.fields && decrypted.use_for_tts)
      return {
        speechCredential: { ownerSid: decrypted.owner, vendor: decrypted.vendor, fields: decrypted.fields },
        encryptedCredential: decrypted.credential,
      }
    throw badRequest(`There is no available speech credential for ${sid}`, 'speech_credential_sid')
  }

  const findClonedVoice = async (voice: string, speech_credential_sid: string): Promise<ClonedVoice | undefined> => {
    const sid = customVoicePattern.exec(voice)?.[1]
    if (!sid) return undefined
    const row = await googleCustomVoices.find(fullReach, sid)
    if (row?.speech_credential_sid !== speech_credential_sid) throw badRequest(`unknown voice ${voice}`, 'voice')
    const { model, reported_usage, use_voice_cloning_key, voice_cloning_key } = row
    return { model, reported_usage, cloning_key: use_voice_cloning_key ? (voice_cloning_key ?? null) : null }
  }

  /** Sends the synthesized speech. With `account_sid`, it is stored in that account's cache. */
  const sendSpeech = async (
    body: SynthesisRequest,
    isUsable: OwnerFilter,
    reply: FastifyReply,
    account_sid?: string,
  ): Promise<void> => {
    const { speech_credential_sid, text, language, voice, engine } = body
    const { speechCredential, encryptedCredential } = await findCredential(speech_credential_sid, isUsable)
    const clonedVoice = hasCustomVoices(speechCredential.vendor)
      ? await findClonedVoice(voice, speech_credential_sid)
      : undefined
    try {
      const speechRequest: SpeechRequest = { text, language, voice, clonedVoice, engine }
      const synthesizeSpeech = () => speech.synthesize(speechCredential, speechRequest)
      // The encrypted credential is part of the cache key, because a changed credential may change the voice.
      const cacheKey = [speech_credential_sid, encryptedCredential, speechRequest]
      const { type, bytes } = await (account_sid
        ? synthesizeCached(cache, account_sid, cacheKey, synthesizeSpeech)
        : synthesizeSpeech())
      await reply.type(type).send(bytes)
    } catch (error) {
      throw error instanceof SpeechError ? unprocessable(error.message) : error
    }
  }

  mountRoute(
    app,
    synthesize,
    { body: synthesisRequestSchema, requiresWellFormedSids: false },
    async ({ params, body, actor, reply }) => {
      const { account_sid } = params
      checkTenantSidFormat(actor, 'Accounts', account_sid)
      const owner = { account_sid, service_provider_sid: (await accounts.providerOf(account_sid)) ?? null }
      checkTenantAccess(actor, 'create', 'tts_cache', owner)
      await sendSpeech(body, isUsableByAccount(await findActiveAccount(account_sid)), reply, account_sid)
    },
  )
  mountRoute(app, synthesizeWithAnyCredential, { body: synthesisRequestSchema }, async ({ body, actor, reply }) => {
    checkTenantAccess(actor, 'create', 'tts_cache')
    await sendSpeech(body, () => true, reply)
  })
}
