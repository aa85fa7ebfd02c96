import { messages } from '../../ports/speech-messages'
import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import { dropUnstorable } from '@trunkline/contract/speech/storable'
import { isCustomVendor, vendorName, vendorOf } from '@trunkline/contract/speech/vendors'
import { SpeechError, type Speech, type SpeechKey, type CredentialTest } from '../../ports/speech'
import { asking, type Ask, type Reaching } from './ask'
import { faultOf, withoutSecrets } from './faults'
import { keeping } from './keeping'
import { knownLists } from './lists'
import type { Parts, VendorApi } from './vendor'
import { aws } from './vendors/aws'
import { cartesia } from './vendors/cartesia'
import { custom } from './vendors/custom'
import { deepgram, deepgramflux } from './vendors/deepgram'
import { elevenlabs } from './vendors/elevenlabs'
import { google } from './vendors/google'
import { ibm } from './vendors/ibm'
import { inworld } from './vendors/inworld'
import { assemblyai, gladia, houndify, soniox, speechmatics, voxist } from './vendors/listeners'
import { microsoft } from './vendors/microsoft'
import { nuance } from './vendors/nuance'
import { openai, whisper } from './vendors/openai'
import { playht } from './vendors/playht'
import { resemble } from './vendors/resemble'
import { rimelabs } from './vendors/rimelabs'
import { verbio } from './vendors/verbio'
import { wellsaid } from './vendors/wellsaid'

/** What can be done there; a vendor that is not named here is not asked for anything. */
const vendors = new Map<string, VendorApi>(
  Object.entries({
    assemblyai,
    aws,
    cartesia,
    deepgram,
    deepgramflux,
    elevenlabs,
    gladia,
    google,
    houndify,
    ibm,
    inworld,
    microsoft,
    nuance,
    openai,
    playht,
    resemble,
    rimelabs,
    soniox,
    speechmatics,
    verbio,
    voxist,
    wellsaid,
    whisper,
  }),
)

const apiOf = (vendor: string): VendorApi => (isCustomVendor(vendor) ? custom : (vendors.get(vendor) ?? {}))

/** What a vendor lists, as far as it can be chosen from. A list of nothing but strange rows is no answer of the vendor's. */
const readable = (listed: Catalogue): Catalogue => {
  const found = dropUnstorable(listed)
  const lists = Object.values(found) as unknown[][]
  if (lists.length > 0 && lists.every(({ length }) => length === 0)) throw new SpeechError(messages.unreadable)
  return found
}

/** Milliseconds for all that a trial, a look-up or a sentence asks of a vendor. */
const patience = 20_000

export interface SpeechOptions extends Reaching {
  timeout?: number
}

/** The vendors' own interfaces over HTTP. */
export const speechByVendor = ({ timeout = patience, ...reaching }: SpeechOptions): Speech => {
  const askUntil = asking(reaching)
  const kept = keeping<Catalogue>({ most: 50, milliseconds: 10 * 60_000 })

  /** Does something at a vendor; whatever goes wrong is a SpeechFault that holds no secret of the credential. */
  const work = async <Answer>(parts: Parts, what: (ask: Ask) => Promise<Answer>): Promise<Answer> => {
    try {
      return await what(askUntil(AbortSignal.timeout(timeout)))
    } catch (error) {
      throw new SpeechError(withoutSecrets(faultOf(error).message, parts))
    }
  }

  const trial = async ({ parts, owner }: SpeechKey, tries: VendorApi['speaks']): Promise<CredentialTest> => {
    if (!tries) return { status: 'not tested' }
    try {
      return { status: (await work(parts, (ask) => tries(ask, parts, owner))) ?? 'ok' }
    } catch (error) {
      return { status: 'fail', reason: (error as SpeechError).message }
    }
  }

  const live = ({ vendor, parts, owner }: SpeechKey): Promise<Catalogue> => {
    const { lists } = apiOf(vendor)
    const lookUp = vendorOf(vendor)?.listSource
    if (!lists || !lookUp) return Promise.resolve({})
    const find = () => work(parts, async (ask) => readable(await lists(ask, parts, owner)))
    return kept(JSON.stringify([vendor, parts, owner]), find).catch((error: unknown) => {
      if (lookUp.onFailure === 'refusal') throw error
      return {}
    })
  }

  return {
    testSynthesis: (key) => trial(key, apiOf(key.vendor).speaks),
    testRecognition: (key) => trial(key, apiOf(key.vendor).hears),
    async catalogue(vendor, key) {
      const known = await knownLists(vendor, key?.parts)
      if (!known) throw new SpeechError(messages.unknownVendor(vendor))
      const open = vendorOf(vendor)?.listSource?.access === 'nothing'
      const asked = key === undefined && open ? { vendor, parts: {}, owner: '' } : key
      return { ...dropUnstorable(known), ...(asked ? await live(asked) : {}) }
    },
    canSynthesize: (vendor) => apiOf(vendor).says !== undefined,
    async synthesizeSpeech({ vendor, parts, owner }, saying) {
      const { says } = apiOf(vendor)
      if (!says) throw new SpeechError(messages.silentVendor(vendorName(vendor)))
      return work(parts, (ask) => says(ask, parts, saying, owner))
    },
  }
}
