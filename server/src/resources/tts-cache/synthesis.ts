import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Owner } from '@trunkline/contract/policy/actor'
import { synthesize, synthesizeWithAnyCredential } from '@trunkline/contract/resources/tts-cache'
import { synthesis, type Synthesis } from '@trunkline/contract/shapes/tts-cache'
import { hasCustomVoices } from '@trunkline/contract/speech/selection'
import { mountRoute } from '../../http/mount-route'
import { checkSidFormat, passGate } from '../../http/gate'
import { fullReach } from '../../http/resource-routes'
import { badRequest, unprocessable } from '../../http/problem'
import { SpeechError, type ClonedVoice, type SpeechCredential } from '../../ports/speech'
import type { Services } from '../../services'
import { synthesizeCached } from './repository'

/** Whether the owner's credential may be used. */
type CredentialFilter = (owner: Owner) => boolean

/** How applications name a custom voice. */
const customVoicePattern = /^custom_(.+)$/

/** Synthesizes speech for an account, with a credential that the account's calls may use. */
export const synthesizeRoute = (app: FastifyInstance, services: Services): void => {
  const { accounts, speechCredentials, googleCustomVoices, speech, cache } = services

  /** The account's provider. Throws 400 if the account does not exist or is inactive. */
  const findProvider = async (account_sid: string): Promise<string> => {
    const account = await accounts.find(fullReach, account_sid)
    if (account?.is_active && account.service_provider_sid) return account.service_provider_sid
    throw badRequest(`Account not found for sid ${account_sid}`)
  }

  const usableByAccountFilter =
    (account_sid: string, service_provider_sid: string): CredentialFilter =>
    (owner) =>
      owner.account_sid === account_sid ||
      (owner.account_sid === null && owner.service_provider_sid === service_provider_sid)

  const findKey = async (
    sid: string,
    isUsable: CredentialFilter,
  ): Promise<{ key: SpeechCredential; credential: string | null }> => {
    const owner = (await speechCredentials.find(fullReach, sid))?.owner
    const decrypted = owner && isUsable(owner) ? await speechCredentials.decrypt(sid) : undefined
    if (decrypted?.fields && decrypted.use_for_tts)
      return {
        key: { owner: decrypted.owner, vendor: decrypted.vendor, fields: decrypted.fields },
        credential: decrypted.credential,
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
    body: Synthesis,
    isUsable: CredentialFilter,
    reply: FastifyReply,
    account_sid?: string,
  ): Promise<void> => {
    const { speech_credential_sid, text, language, voice, engine } = body
    const { key, credential } = await findKey(speech_credential_sid, isUsable)
    const cloned = hasCustomVoices(key.vendor) ? await findClonedVoice(voice, speech_credential_sid) : undefined
    try {
      const speechRequest = { text, language, voice, cloned, engine }
      const synthesizeSpeech = () => speech.synthesize(key, speechRequest)
      // The encrypted credential is part of the key: a changed credential may sound different.
      const cacheKey = [speech_credential_sid, credential, speechRequest]
      const { type, bytes } = await (account_sid
        ? synthesizeCached(cache, account_sid, cacheKey, synthesizeSpeech)
        : synthesizeSpeech())
      await reply.type(type).send(bytes)
    } catch (error) {
      throw error instanceof SpeechError ? unprocessable(error.message) : error
    }
  }

  mountRoute(app, synthesize, { body: synthesis, checkSids: false }, async ({ params, body, actor, reply }) => {
    const { account_sid } = params
    checkSidFormat(actor, 'Accounts', account_sid)
    const owner = { account_sid, service_provider_sid: (await accounts.providerOf(account_sid)) ?? null }
    passGate(actor, 'create', 'tts_cache', owner)
    await sendSpeech(body, usableByAccountFilter(account_sid, await findProvider(account_sid)), reply, account_sid)
  })
  mountRoute(app, synthesizeWithAnyCredential, { body: synthesis }, async ({ body, actor, reply }) => {
    passGate(actor, 'create', 'tts_cache')
    await sendSpeech(body, () => true, reply)
  })
}
