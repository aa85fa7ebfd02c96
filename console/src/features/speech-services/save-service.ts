import {
  googleCustomVoice,
  googleCustomVoices,
  voiceCloningKey,
} from '@trunkline/contract/resources/google-custom-voice'
import type { GoogleCustomVoiceDraft } from '@trunkline/contract/shapes/google-custom-voice'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { hasCustomVoices } from '@trunkline/contract/speech/vendors'
import { fetchRecord, saveRecord, type AnyResource } from '../../kit/record/record'
import { request, requestUntyped } from '../../lib/client'
import { requestListUntyped } from '../../lib/request-list'
import { Problem } from '../../lib/problem'
import { getServiceChanges, toServiceDraft, type ServiceValues, type ServiceWithVoices } from './values'
import { fillVendor } from './service-source'
import { supportsVoices, toVoiceBody, type VoiceValues } from './voice-values'

const emptyIfNotFound = (error: unknown) => {
  if (error instanceof Problem && error.status === 404) return []
  throw error
}

/** Finds a service that the provider shares in the account's list, because account users may not read it directly. */
const findSharedService = async (resource: AnyResource<SpeechCredential>, sid: string, signal: AbortSignal) => {
  const { rows } = await requestListUntyped<SpeechCredential>(resource.list, { signal })
  return rows.find((row) => row.speech_credential_sid === sid)
}

/**
 * Reads a service with its custom voices, if its vendor supports them. Account users get a shared service from the
 * list.
 */
export const readService = async (
  resource: AnyResource<SpeechCredential>,
  sid: string,
  signal: AbortSignal,
): Promise<ServiceWithVoices> => {
  let row: SpeechCredential
  try {
    row = fillVendor(await fetchRecord(resource, sid, signal))
  } catch (error) {
    const sharedRow =
      error instanceof Problem && error.status === 403 ? await findSharedService(resource, sid, signal) : undefined
    if (!sharedRow) throw error
    return fillVendor(sharedRow)
  }
  if (!hasCustomVoices(row.vendor)) return row
  const voices = await request(googleCustomVoices, { query: { speech_credential_sid: sid }, signal }).catch(
    emptyIfNotFound,
  )
  return { ...row, voices } as ServiceWithVoices
}

const uploadKey = (google_custom_voice_sid: string, key: string) => {
  const body = new FormData()
  body.append('file', new Blob([key], { type: 'text/plain' }), 'voice-cloning-key.txt')
  return request(voiceCloningKey, { params: { google_custom_voice_sid }, body })
}

/** Rethrows a server error of a voice on its row in the form. */
const rethrowAtRow = (index: number) => (error: unknown) => {
  if (!(error instanceof Problem) || error.hasEndedSession) throw error
  throw new Problem(
    error.status,
    {
      msg: error.msg,
      ...(error.field ? { field: `voices.${index}.${error.field}` } : {}),
    },
    { requestId: error.requestId },
  )
}

/** The server refused a voice. The service itself is saved. */
export class VoiceRefusedError extends Error {
  constructor(readonly problem: unknown) {
    super('a voice was refused')
  }
}

/**
 * Saves a service and then its voices, one request each. Remembers each saved part, so that a retry creates nothing
 * twice. If the values of a new service change before a retry, the service is created again and replaces the first one,
 * because many of its columns are fixed.
 */
export const createServiceSaver = (
  resource: AnyResource<SpeechCredential>,
  existingSid: string | undefined,
  /** Called once the service itself is saved. */
  onSaved: (sid: string) => void,
) => {
  let savedSid = existingSid
  let storedService: ServiceWithVoices | undefined
  /** The body that created the new service. */
  let createdBodyJson = ''
  /** The SIDs of the voices that the server has. */
  let storedVoiceSids = new Set<string>()
  /** The SIDs of the voices that this form created, by row id. A row keeps its id until the form is filled again. */
  const createdVoiceSids = new Map<string, string>()

  const findVoiceSid = ({ id }: VoiceValues) => createdVoiceSids.get(id) ?? (storedVoiceSids.has(id) ? id : undefined)

  const createVoice = async (id: string, body: GoogleCustomVoiceDraft) => {
    const { sid } = await request(googleCustomVoice.create, { body })
    createdVoiceSids.set(id, sid)
    storedVoiceSids.add(sid)
    return sid
  }

  const saveVoice = async (voice: VoiceValues, speech_credential_sid: string) => {
    const storedSid = findVoiceSid(voice)
    const body = { ...toVoiceBody(voice), speech_credential_sid }
    if (storedSid) await request(googleCustomVoice.update, { params: { google_custom_voice_sid: storedSid }, body })
    const voiceSid = storedSid ?? (await createVoice(voice.id, body))
    if (voice.key) await uploadKey(voiceSid, voice.key)
  }

  const saveVoices = async (voices: VoiceValues[], serviceSid: string) => {
    for (const [index, voice] of voices.entries()) await saveVoice(voice, serviceSid).catch(rethrowAtRow(index))
    const remainingSids = new Set(voices.map(findVoiceSid))
    for (const google_custom_voice_sid of [...storedVoiceSids].filter((sid) => !remainingSids.has(sid))) {
      await request(googleCustomVoice.remove, { params: { google_custom_voice_sid } })
      storedVoiceSids.delete(google_custom_voice_sid)
    }
  }

  const createService = async (draft: Record<string, unknown>): Promise<string> => {
    const draftJson = JSON.stringify(draft)
    if (savedSid && draftJson === createdBodyJson) return savedSid
    if (savedSid) await requestUntyped(resource.remove, { params: { [resource.key]: savedSid } })
    savedSid = undefined
    storedVoiceSids.clear()
    createdVoiceSids.clear()
    savedSid = await saveRecord(resource, { draft })
    createdBodyJson = draftJson
    return savedSid
  }

  return {
    setStored: (service: ServiceWithVoices) => {
      storedService = service
      storedVoiceSids = new Set(service.voices?.map(({ google_custom_voice_sid }) => google_custom_voice_sid))
    },

    /** Saves everything and returns the SID. Throws VoiceRefusedError if only the service was saved. */
    async save(values: ServiceValues): Promise<string> {
      savedSid = existingSid
        ? await saveRecord(resource, { sid: existingSid, changes: getServiceChanges(values, storedService) })
        : await createService(toServiceDraft(values))
      onSaved(savedSid)
      // without synthesis, the form hides the voices; they stay stored
      if (supportsVoices(values) || !values.use_custom_voices)
        await saveVoices(values.use_custom_voices ? values.voices : [], savedSid).catch((problem: unknown) => {
          throw new VoiceRefusedError(problem)
        })
      return savedSid
    },
  }
}
