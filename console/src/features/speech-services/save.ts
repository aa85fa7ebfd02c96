import {
  googleCustomVoice,
  googleCustomVoices,
  voiceCloningKey,
} from '@trunkline/contract/resources/google-custom-voice'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { hasCustomVoices } from '@trunkline/contract/speech/selection'
import { readOne, saveOne, type Screened } from '../../kit/record'
import { request, requestUntyped } from '../../lib/client'
import { Problem } from '../../lib/problem'
import { changesOf, draftOf, type ServiceValues, type WholeService } from './values'
import { hasVoices, voiceBody, type VoiceValues } from './voice-values'

const unlisted = (error: unknown) => {
  if (error instanceof Problem && error.status === 404) return []
  throw error
}

/** A service that the provider shares is in the list of an account, but the account may not read it by itself. */
const sharedService = async (of: Screened<SpeechCredential>, sid: string, signal: AbortSignal) => {
  const answer = (await requestUntyped(of.list, { signal })) as SpeechCredential[] | { data: SpeechCredential[] }
  return (Array.isArray(answer) ? answer : answer.data).find((row) => row.speech_credential_sid === sid)
}

/** A service with its custom voices, where its vendor has any. Of a shared one account users see what the list shows. */
export const wholeService = async (
  of: Screened<SpeechCredential>,
  sid: string,
  signal: AbortSignal,
): Promise<WholeService> => {
  let row: SpeechCredential
  try {
    row = await readOne(of, sid, signal)
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

/** What a server says of a voice belongs to its row in the form. */
const ofRow = (place: number) => (error: unknown) => {
  if (!(error instanceof Problem) || error.hasEndedSession) throw error
  throw new Problem(error.status, {
    msg: error.msg,
    ...(error.field ? { field: `voices.${place}.${error.field}` } : {}),
  })
}

/** The service is saved, and a voice was refused. */
export class VoiceRefused extends Error {
  constructor(readonly problem: unknown) {
    super('a voice was refused')
  }
}

/**
 * Saves a service and then its voices, one by one, as the interface has it. What has been saved is known when it is
 * tried again after a failure: nothing is made twice. A new service that is another one by then takes the place of what
 * was made of it before, as much of it is fixed once it is made.
 */
export const makeSaver = (
  of: Screened<SpeechCredential>,
  known: string | undefined,
  /** The service itself is saved. */
  after: (sid: string) => void,
) => {
  let sid = known
  let before: WholeService | undefined
  /** What a new service was made of. */
  let made = ''
  /** The voices that the server has: the sid by the mark of the row. */
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
    sid = await saveOne(of, { draft })
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

    /** Saves all of it; answers the sid. Throws VoiceRefused when the service itself is saved. */
    async save(values: ServiceValues): Promise<string> {
      sid = known ? await saveOne(of, { sid: known, changes: changesOf(values, before) }) : await make(draftOf(values))
      after(sid)
      // a service that does not speak keeps the voices that it has: the form shows none of them
      if (hasVoices(values) || !values.use_custom_voices)
        await saveVoices(values.use_custom_voices ? values.voices : [], sid).catch((problem: unknown) => {
          throw new VoiceRefused(problem)
        })
      return sid
    },
  }
}
