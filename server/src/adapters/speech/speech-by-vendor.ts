import { messages } from '../../ports/speech-error-messages'
import type { Catalogue } from '@trunkline/contract/speech/catalogue'
import { dropUnstorable } from '@trunkline/contract/speech/storable-catalogue'
import { isCustomVendor, getVendorName, findVendorById } from '@trunkline/contract/speech/vendors'
import { SpeechError, type Speech, type SpeechCredential, type TestResult } from '../../ports/speech'
import { createVendorClient, type SendRequest, type ClientOptions } from './vendor-client'
import { toSpeechError, redactSecrets } from './vendor-errors'
import { createLookupCache } from './lookup-cache'
import { loadKnownCatalogue } from './known-catalogue'
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

/** The vendors with an HTTP API that this server uses. */
const vendorApis = new Map<string, VendorApi>(
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

const findVendorApi = (vendor: string): VendorApi => (isCustomVendor(vendor) ? custom : (vendorApis.get(vendor) ?? {}))

/** Drops entries that cannot be stored. Throws if all lists are empty afterwards: then the vendor's response had another format. */
const toStorable = (catalogue: Catalogue): Catalogue => {
  const storableCatalogue = dropUnstorable(catalogue)
  const lists = Object.values(storableCatalogue) as unknown[][]
  if (lists.length > 0 && lists.every(({ length }) => length === 0)) throw new SpeechError(messages.unreadable)
  return storableCatalogue
}

/** Timeout of one operation, which may consist of several requests. */
const defaultTimeoutMs = 20_000

export interface SpeechOptions extends ClientOptions {
  timeoutMs?: number
}

/** Creates a client of the vendors' HTTP APIs. */
export const createSpeech = ({ timeoutMs = defaultTimeoutMs, ...clientOptions }: SpeechOptions): Speech => {
  const createSender = createVendorClient(clientOptions)
  const catalogueCache = createLookupCache<Catalogue>({ maxEntries: 50, lifetimeMs: 10 * 60_000 })

  /** Runs requests to a vendor. Errors are SpeechErrors without secrets of the credential. */
  const runAtVendor = async <Result>(
    fields: CredentialFields,
    operation: (send: SendRequest) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await operation(createSender(AbortSignal.timeout(timeoutMs)))
    } catch (error) {
      throw new SpeechError(redactSecrets(toSpeechError(error).message, fields))
    }
  }

  const runTest = async (
    { fields, ownerSid }: SpeechCredential,
    runVendorTest: VendorApi['testSynthesis'],
  ): Promise<TestResult> => {
    if (!runVendorTest) return { status: 'not tested' }
    try {
      return { status: (await runAtVendor(fields, (send) => runVendorTest(send, fields, ownerSid))) ?? 'ok' }
    } catch (error) {
      return { status: 'fail', reason: (error as SpeechError).message }
    }
  }

  const fetchLiveCatalogue = ({ vendor, fields, ownerSid }: SpeechCredential): Promise<Catalogue> => {
    const { fetchCatalogue } = findVendorApi(vendor)
    const listSource = findVendorById(vendor)?.listSource
    if (!fetchCatalogue || !listSource) return Promise.resolve({})
    const fetchList = () =>
      runAtVendor(fields, async (send) => toStorable(await fetchCatalogue(send, fields, ownerSid)))
    return catalogueCache(JSON.stringify([vendor, fields, ownerSid]), fetchList).catch((error: unknown) => {
      if (listSource.onFailure === 'refusal') throw error
      return {}
    })
  }

  return {
    testSynthesis: (credential) => runTest(credential, findVendorApi(credential.vendor).testSynthesis),
    testRecognition: (credential) => runTest(credential, findVendorApi(credential.vendor).testRecognition),
    async fetchCatalogue(vendor, credential) {
      const builtIn = await loadKnownCatalogue(vendor, credential?.fields)
      if (!builtIn) throw new SpeechError(messages.unknownVendor(vendor))
      const isPublic = findVendorById(vendor)?.listSource?.access === 'nothing'
      const lookupCredential = credential === undefined && isPublic ? { vendor, fields: {}, ownerSid: '' } : credential
      return { ...dropUnstorable(builtIn), ...(lookupCredential ? await fetchLiveCatalogue(lookupCredential) : {}) }
    },
    canSynthesize: (vendor) => findVendorApi(vendor).synthesize !== undefined,
    async synthesize({ vendor, fields, ownerSid }, request) {
      const { synthesize } = findVendorApi(vendor)
      if (!synthesize) throw new SpeechError(messages.unsupportedSynthesis(getVendorName(vendor)))
      return runAtVendor(fields, (send) => synthesize(send, fields, request, ownerSid))
    },
  }
}
