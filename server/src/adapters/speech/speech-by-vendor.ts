import { messages } from '../../ports/speech-error-messages'
import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import { dropUnstorable } from '@trunkline/contract/speech/storable-catalogue'
import { isCustomVendor, getVendorName, findVendorById } from '@trunkline/contract/speech/vendors'
import { SpeechError, type Speech, type SpeechCredential, type TestResult } from '../../ports/speech'
import { vendorClient, type SendRequest, type ClientOptions } from './vendor-client'
import { toSpeechError, withoutSecrets } from './vendor-errors'
import { lookupCache } from './lookup-cache'
import { knownCatalogue } from './known-catalogue'
import type { CredentialFields, VendorApi } from './vendor-api'
import { aws } from './vendors/aws'
import { cartesia } from './vendors/cartesia'
import { custom } from './vendors/custom'
import { deepgram, deepgramflux } from './vendors/deepgram'
import { elevenlabs } from './vendors/elevenlabs'
import { google } from './vendors/google'
import { ibm } from './vendors/ibm'
import { inworld } from './vendors/inworld'
import { assemblyai, gladia, houndify, soniox, speechmatics, voxist } from './vendors/recognition-only'
import { microsoft } from './vendors/microsoft'
import { nuance } from './vendors/nuance'
import { openai, whisper } from './vendors/openai'
import { playht } from './vendors/playht'
import { resemble } from './vendors/resemble'
import { rimelabs } from './vendors/rimelabs'
import { verbio } from './vendors/verbio'
import { wellsaid } from './vendors/wellsaid'

/** The vendors that this server can call. */
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

const vendorApiOf = (vendor: string): VendorApi => (isCustomVendor(vendor) ? custom : (vendors.get(vendor) ?? {}))

/** Drops entries that cannot be stored. Throws if all lists are empty afterwards, because the response was not understood. */
const toStorable = (catalogue: Catalogue): Catalogue => {
  const storableLists = dropUnstorable(catalogue)
  const lists = Object.values(storableLists) as unknown[][]
  if (lists.length > 0 && lists.every(({ length }) => length === 0)) throw new SpeechError(messages.unreadable)
  return storableLists
}

/** Timeout of one operation in milliseconds. */
const defaultTimeoutMs = 20_000

export interface SpeechOptions extends ClientOptions {
  timeoutMs?: number
}

/** Calls the vendors' HTTP APIs. */
export const speechByVendor = ({ timeoutMs = defaultTimeoutMs, ...clientOptions }: SpeechOptions): Speech => {
  const clientUntil = vendorClient(clientOptions)
  const catalogueCache = lookupCache<Catalogue>({ maxEntries: 50, lifetimeMs: 10 * 60_000 })

  /** Runs requests to a vendor. Errors are SpeechErrors without secrets of the credential. */
  const runAtVendor = async <Result>(
    fields: CredentialFields,
    operation: (send: SendRequest) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await operation(clientUntil(AbortSignal.timeout(timeoutMs)))
    } catch (error) {
      throw new SpeechError(withoutSecrets(toSpeechError(error).message, fields))
    }
  }

  const runTest = async (
    { fields, owner }: SpeechCredential,
    test: VendorApi['testSynthesis'],
  ): Promise<TestResult> => {
    if (!test) return { status: 'not tested' }
    try {
      return { status: (await runAtVendor(fields, (send) => test(send, fields, owner))) ?? 'ok' }
    } catch (error) {
      return { status: 'fail', reason: (error as SpeechError).message }
    }
  }

  const fetchLiveCatalogue = ({ vendor, fields, owner }: SpeechCredential): Promise<Catalogue> => {
    const { fetchCatalogue } = vendorApiOf(vendor)
    const lookUp = findVendorById(vendor)?.listSource
    if (!fetchCatalogue || !lookUp) return Promise.resolve({})
    const find = () => runAtVendor(fields, async (send) => toStorable(await fetchCatalogue(send, fields, owner)))
    return catalogueCache(JSON.stringify([vendor, fields, owner]), find).catch((error: unknown) => {
      if (lookUp.onFailure === 'refusal') throw error
      return {}
    })
  }

  return {
    testSynthesis: (key) => runTest(key, vendorApiOf(key.vendor).testSynthesis),
    testRecognition: (key) => runTest(key, vendorApiOf(key.vendor).testRecognition),
    async catalogue(vendor, key) {
      const builtIn = await knownCatalogue(vendor, key?.fields)
      if (!builtIn) throw new SpeechError(messages.unknownVendor(vendor))
      const isPublic = findVendorById(vendor)?.listSource?.access === 'nothing'
      const lookupCredential = key === undefined && isPublic ? { vendor, fields: {}, owner: '' } : key
      return { ...dropUnstorable(builtIn), ...(lookupCredential ? await fetchLiveCatalogue(lookupCredential) : {}) }
    },
    canSpeak: (vendor) => vendorApiOf(vendor).synthesize !== undefined,
    async synthesize({ vendor, fields, owner }, request) {
      const { synthesize } = vendorApiOf(vendor)
      if (!synthesize) throw new SpeechError(messages.unsupportedSynthesis(getVendorName(vendor)))
      return runAtVendor(fields, (send) => synthesize(send, fields, request, owner))
    },
  }
}
