import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import { sampleFile } from '../sample-audio'
import { testBySynthesis, audioOf, textField, type CredentialFields, type VendorApi } from '../vendor-api'

const base = 'https://api.openai.com/v1/audio'
const authHeaders = (fields: CredentialFields) => ({ authorization: `Bearer ${textField(fields, 'api_key')}` })

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text: input, voice }) => {
  const json = { model: textField(fields, 'model_id') || 'tts-1', input, voice, response_format: 'mp3' }
  return audioOf(await send({ url: `${base}/speech`, headers: authHeaders(fields), json }))
}

/** The platform's name for synthesis with OpenAI. */
export const whisper: VendorApi = { testSynthesis: testBySynthesis(synthesize, 'alloy'), synthesize }

export const openai: VendorApi = {
  async testRecognition(send, fields) {
    const form = new FormData()
    form.set('model', 'whisper-1')
    form.set('file', sampleFile())
    const answer = await send({ url: `${base}/transcriptions`, headers: authHeaders(fields), form })
    if (typeof answer.json<{ text: string }>().text !== 'string') throw new SpeechError(messages.noTranscript)
  },
}
