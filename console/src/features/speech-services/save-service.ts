import {
  googleCustomVoice,
  googleCustomVoices,
  voiceCloningKey,
} from '@trunkline/contract/resources/google-custom-voice'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { hasCustomVoices } from '@trunkline/contract/speech/selection'
import { fetchRecord, saveRecord, type AnyResource } from '../../kit/record/record'
import { request, requestUntyped } from '../../lib/client'
import { Problem } from '../../lib/problem'
import { changesOf, draftOf, type ServiceValues, type WholeService } from './values'
import { hasVoices, voiceBody, type VoiceValues } from './voice-values'

const unlisted = (error: unknown) => {
  if (error instanceof Problem && error.status === 404) return []
  throw error
}

/** Finds a service that the provider shares in the account's list, because account users may not read it directly. */
const sharedService = async (of: AnyResource<SpeechCredential>, sid: string, signal: AbortSignal) => {
  const answer = (await requestUntyped(of.list, { signal })) as SpeechCredential[] | { data: SpeechCredential[] }
  return (Array.isArray(answer) ? answer : answer.data).find((row) => row.speech_credential_sid === sid)
}

/**
 * Reads a service with its custom voices, if its vendor supports them. Account users get a shared service from the
 * list.
 */
export const wholeService = async (
  of: AnyResource<SpeechCredential>,
  sid: string,
  signal: AbortSignal,
): Promise<WholeService> => {
  let row: SpeechCredential
  try {
    row = await fetchRecord(of, sid, signal)
  } catch (error) {
    const shared = error instanceof Problem && error.status === 403 ? await sharedService(of, sid, signal) : undefined
    if (!shared) throw error
    return shared
  }
  if (!hasCustomVoices(row.vendor)) return row
  const voices = await request(googleCustomVoices, { query: { speech_credential_sid: sid }, signal }).catch(unlisted)
  return { ...row, voices } as WholeService
}

const upload = (google_custom_voice_sid: string, key: string) => {
  const body = new FormData()
  body.append('file', new Blob([key], { type: 'text/plain' }), 'voice-cloning-key.txt')
  return request(voiceCloningKey, { params: { google_custom_voice_sid }, body })
}

/** Rethrows a server error of a voice on its row in the form. */
const ofRow = (place: number) => (error: unknown) => {
  if (!(error instanceof Problem) || error.hasEndedSession) throw error
  throw new Problem(error.status, {
    msg: error.msg,
    ...(error.field ? { field: `voices.${place}.${error.field}` } : {}),
  })
}

/** The server refused a voice. The service itself is saved. */
export class VoiceRefused extends Error {
  constructor(readonly problem: unknown) {
    super('a voice was refused')
  }
}

/**
 * Saves a service and then its voices, one request each. Remembers each saved part, so that a retry creates nothing
 * twice. If the values of a new service change before a retry, the service is created again and replaces the first one,
 * because many of its columns are fixed.
 */
export const makeSaver = (
  of: AnyResource<SpeechCredential>,
  known: string | undefined,
  /** Called once the service itself is saved. */
  after: (sid: string) => void,
) => {
  let sid = known
  let before: WholeService | undefined
  /** The body that created the new service, as JSON. */
  let made = ''
  /** The SIDs of the stored voices, by row id. */
  const voicesMade = new Map<string, string>()

  const saveVoice = async (voice: VoiceValues, speech_credential_sid: string) => {
    const found = voicesMade.get(voice.id)
    const body = { ...voiceBody(voice), speech_credential_sid }
    if (found) await request(googleCustomVoice.update, { params: { google_custom_voice_sid: found }, body })
    const saved = found ?? (await request(googleCustomVoice.create, { body })).sid
    voicesMade.set(voice.id, saved)
    if (voice.key) await upload(saved, voice.key)
  }

  const saveVoices = async (voices: VoiceValues[], saved: string) => {
    for (const [place, voice] of voices.entries()) await saveVoice(voice, saved).catch(ofRow(place))
    const wanted = new Set(voices.map(({ id }) => id))
    for (const [id, google_custom_voice_sid] of [...voicesMade].filter(([mark]) => !wanted.has(mark))) {
      await request(googleCustomVoice.remove, { params: { google_custom_voice_sid } })
      voicesMade.delete(id)
    }
  }

  const make = async (draft: Record<string, unknown>): Promise<string> => {
    const text = JSON.stringify(draft)
    if (sid && text === made) return sid
    if (sid) await requestUntyped(of.remove, { params: { [of.key]: sid } })
    sid = undefined
    voicesMade.clear()
    sid = await saveRecord(of, { draft })
    made = text
    return sid
  }

  return {
    knows: (found: WholeService) => {
      before = found
      voicesMade.clear()
      for (const { google_custom_voice_sid } of found.voices ?? [])
        voicesMade.set(google_custom_voice_sid, google_custom_voice_sid)
    },

    /** Saves everything and returns the SID. Throws VoiceRefused if only the service was saved. */
    async save(values: ServiceValues): Promise<string> {
      sid = known
        ? await saveRecord(of, { sid: known, changes: changesOf(values, before) })
        : await make(draftOf(values))
      after(sid)
      // without synthesis, the form hides the voices; they stay stored
      if (hasVoices(values) || !values.use_custom_voices)
        await saveVoices(values.use_custom_voices ? values.voices : [], sid).catch((problem: unknown) => {
          throw new VoiceRefused(problem)
        })
      return sid
    },
  }
}
