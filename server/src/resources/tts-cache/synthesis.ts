import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Owner } from '@trunkline/contract/policy/actor'
import { synthesize, synthesizeAnywhere } from '@trunkline/contract/resources/tts-cache'
import { synthesis, type Synthesis } from '@trunkline/contract/shapes/tts-cache'
import { hasCustomVoices } from '@trunkline/contract/speech/selection'
import { mountRoute } from '../../http/mount-route'
import { checkSidFormat, passGate } from '../../http/gate'
import { badRequest, unprocessable } from '../../http/problem'
import { SpeechFault, type ClonedVoice, type SpeechKey } from '../../ports/speech'
import type { Services } from '../../services'
import { sayOnce } from './repository'

/** Whose credentials may be used. */
type Usable = (owner: Owner) => boolean

const everything = { all: true } as const

/** How an application names a voice that a vendor has made for a customer. */
const ownVoice = /^custom_(.+)$/

/** Lets a vendor speak on behalf of an account, with a credential that the account's calls may use. */
export const synthesizeRoute = (app: FastifyInstance, services: Services): void => {
  const { accounts, speechCredentials, googleCustomVoices, speech, cache } = services

  /** The account's provider. Throws 400 for an account that is not there or not active. */
  const providerOf = async (account_sid: string): Promise<string> => {
    const account = await accounts.find(everything, account_sid)
    if (account?.is_active && account.service_provider_sid) return account.service_provider_sid
    throw badRequest(`Account not found for sid ${account_sid}`)
  }

  const ofAccount =
    (account_sid: string, service_provider_sid: string): Usable =>
    (owner) =>
      owner.account_sid === account_sid ||
      (owner.account_sid === null && owner.service_provider_sid === service_provider_sid)

  const keyOf = async (sid: string, usable: Usable): Promise<{ key: SpeechKey; credential: string | null }> => {
    const owner = (await speechCredentials.find(everything, sid))?.owner
    const opened = owner && usable(owner) ? await speechCredentials.open(sid) : undefined
    if (opened?.fields && opened.use_for_tts)
      return {
        key: { owner: opened.owner, vendor: opened.vendor, parts: opened.fields },
        credential: opened.credential,
      }
    throw badRequest(`There is no available speech credential for ${sid}`, 'speech_credential_sid')
  }

  const clonedOf = async (voice: string, speech_credential_sid: string): Promise<ClonedVoice | undefined> => {
    const sid = ownVoice.exec(voice)?.[1]
    if (!sid) return undefined
    const row = await googleCustomVoices.find(everything, sid)
    if (row?.speech_credential_sid !== speech_credential_sid) throw badRequest(`unknown voice ${voice}`, 'voice')
    const { model, reported_usage, use_voice_cloning_key, voice_cloning_key } = row
    return { model, reported_usage, cloning_key: use_voice_cloning_key ? (voice_cloning_key ?? null) : null }
  }

  /** `account_sid`: on whose behalf, and in whose cache the sound is kept; nobody's is kept nowhere. */
  const say = async (body: Synthesis, usable: Usable, reply: FastifyReply, account_sid?: string): Promise<void> => {
    const { speech_credential_sid, text, language, voice, engine } = body
    const { key, credential } = await keyOf(speech_credential_sid, usable)
    const cloned = hasCustomVoices(key.vendor) ? await clonedOf(voice, speech_credential_sid) : undefined
    try {
      const saying = { text, language, voice, cloned, engine }
      const speak = () => speech.say(key, saying)
      // As it is stored: a credential that was changed may sound otherwise.
      const asked = [speech_credential_sid, credential, saying]
      const { type, bytes } = await (account_sid ? sayOnce(cache, account_sid, asked, speak) : speak())
      await reply.type(type).send(bytes)
    } catch (error) {
      throw error instanceof SpeechFault ? unprocessable(error.message) : error
    }
  }

  mountRoute(app, synthesize, { body: synthesis, checkSids: false }, async ({ params, body, actor, reply }) => {
    const { account_sid } = params
    checkSidFormat(actor, 'Accounts', account_sid)
    const owner = { account_sid, service_provider_sid: (await accounts.providerOf(account_sid)) ?? null }
    passGate(actor, 'create', 'tts_cache', owner)
    await say(body, ofAccount(account_sid, await providerOf(account_sid)), reply, account_sid)
  })
  mountRoute(app, synthesizeAnywhere, { body: synthesis }, async ({ body, actor, reply }) => {
    passGate(actor, 'create', 'tts_cache')
    await say(body, () => true, reply)
  })
}
