import { messages } from '../../../ports/speech-messages'
import { SpeechError } from '../../../ports/speech'
import { helloFile } from '../hello'
import { bySaying, soundIn, text, type Parts, type VendorApi } from '../vendor'

const base = 'https://api.openai.com/v1/audio'
const keyIn = (parts: Parts) => ({ authorization: `Bearer ${text(parts, 'api_key')}` })

const says: NonNullable<VendorApi['says']> = async (ask, parts, { text: input, voice }) => {
  const json = { model: text(parts, 'model_id') || 'tts-1', input, voice, response_format: 'mp3' }
  return soundIn(await ask({ url: `${base}/speech`, headers: keyIn(parts), json }))
}

/** The name under which this platform knows OpenAI as one who speaks. */
export const whisper: VendorApi = { speaks: bySaying(says, 'alloy'), says }

export const openai: VendorApi = {
  async hears(ask, parts) {
    const form = new FormData()
    form.set('model', 'whisper-1')
    form.set('file', helloFile())
    const answer = await ask({ url: `${base}/transcriptions`, headers: keyIn(parts), form })
    if (typeof answer.json<{ text: string }>().text !== 'string') throw new SpeechError(messages.noTranscript)
  },
}
