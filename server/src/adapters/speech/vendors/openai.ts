import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import { createSampleFile } from '../sample-audio'
import { createSynthesisTest, extractAudio, readTextField, type CredentialFields, type VendorApi } from '../vendor-api'

const baseUrl = 'https://api.openai.com/v1/audio'
const buildAuthHeaders = (fields: CredentialFields) => ({ authorization: `Bearer ${readTextField(fields, 'api_key')}` })

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text: input, voice }) => {
  const json = { model: readTextField(fields, 'model_id') || 'tts-1', input, voice, response_format: 'mp3' }
  return extractAudio(await send({ url: `${baseUrl}/speech`, headers: buildAuthHeaders(fields), json }))
}

/** Synthesis with OpenAI, which the platform calls "whisper". */
export const whisper: VendorApi = { testSynthesis: createSynthesisTest(synthesize, 'alloy'), synthesize }

export const openai: VendorApi = {
  async testRecognition(send, fields) {
    const form = new FormData()
    form.set('model', 'whisper-1')
    form.set('file', createSampleFile())
    const response = await send({ url: `${baseUrl}/transcriptions`, headers: buildAuthHeaders(fields), form })
    if (typeof response.json<{ text: string }>().text !== 'string') throw new SpeechError(messages.noTranscript)
  },
}
