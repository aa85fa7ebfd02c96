import { messages } from '../../../ports/speech-error-messages'
import { SpeechError } from '../../../ports/speech'
import { extractAudio, readTextField, withProtocol, type VendorApi } from '../vendor-api'

/** A customer's own server that implements the platform's speech API. It offers no test request. */
export const custom: VendorApi = {
  async synthesize(send, fields, { text, language, voice }) {
    const url = readTextField(fields, 'custom_tts_url')
    if (!url) throw new SpeechError(messages.streamsOnly)
    const token = readTextField(fields, 'auth_token')
    const response = await send({
      url: withProtocol(url),
      headers: token ? { authorization: `Bearer ${token}` } : {},
      json: { language, voice, type: 'text', text },
    })
    return extractAudio(response)
  },
}
