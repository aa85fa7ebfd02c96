import { messages } from '../../../ports/speech-messages'
import { SpeechError } from '../../../ports/speech'
import type { Ask } from '../ask'
import { Refused } from '../faults'
import { byLanguage, hostPart, languageName, listedRows, soundIn, text, type Parts, type VendorApi } from '../vendor'

type Direction = 'tts' | 'stt'

const services: Record<Direction, string> = { tts: 'text-to-speech', stt: 'speech-to-text' }

const address = (parts: Parts, direction: Direction) =>
  `https://api.${hostPart(text(parts, `${direction}_region`))}.${services[direction]}.watson.cloud.ibm.com/v1`

const headersOf = (parts: Parts, direction: Direction) => ({
  authorization: `Basic ${Buffer.from(`apikey:${text(parts, `${direction}_api_key`)}`).toString('base64')}`,
})

const get = (ask: Ask, parts: Parts, direction: Direction, path: string) =>
  ask({ url: `${address(parts, direction)}/${path}`, headers: headersOf(parts, direction) }).catch((error: unknown) => {
    throw error instanceof Refused && error.status === 401 ? new SpeechError(messages.ibmDenied) : error
  })

interface Voice {
  name: string
  language: string
  gender: string
  description: string
}

const voices = async (ask: Ask, parts: Parts) => {
  const answer = await get(ask, parts, 'tts', 'voices')
  const listed = listedRows<Voice>(answer.json<{ voices: unknown }>().voices)
  return byLanguage(
    listed.map(({ name = '', language = '', gender = '', description = '' }) => ({
      languages: [language],
      value: name,
      name: `(${gender}) ${description}`,
    })),
  )
}

const heard = async (ask: Ask, parts: Parts) => {
  const answer = await get(ask, parts, 'stt', 'models')
  const models = listedRows<{ language: string }>(answer.json<{ models: unknown }>().models)
  const languages = new Set(models.flatMap(({ language }) => (language ? [language] : [])))
  return [...languages].toSorted().map((value) => ({ value, name: languageName(value) }))
}

export const ibm: VendorApi = {
  speaks: async (ask, parts) => {
    await voices(ask, parts)
  },
  hears: async (ask, parts) => {
    await heard(ask, parts)
  },
  lists: async (ask, parts) => ({
    ...(text(parts, 'tts_api_key') ? { tts: await voices(ask, parts) } : {}),
    ...(text(parts, 'stt_api_key') ? { stt: await heard(ask, parts) } : {}),
  }),
  async says(ask, parts, { text: words, voice }) {
    const url = `${address(parts, 'tts')}/synthesize?voice=${encodeURIComponent(voice)}`
    const headers = { ...headersOf(parts, 'tts'), accept: 'audio/mp3' }
    return soundIn(await ask({ url, headers, json: { text: words } }))
  },
}
