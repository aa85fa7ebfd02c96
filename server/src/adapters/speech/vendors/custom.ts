import { messages } from '../../../ports/speech-messages'
import { SpeechError } from '../../../ports/speech'
import { soundIn, text, withProtocol, type VendorApi } from '../vendor'

/** A server of the customer's that speaks for this platform. There is no call that only tries it. */
export const custom: VendorApi = {
  async says(ask, parts, { text: words, language, voice }) {
    const url = text(parts, 'custom_tts_url')
    if (!url) throw new SpeechError(messages.streamsOnly)
    const token = text(parts, 'auth_token')
    const answer = await ask({
      url: withProtocol(url),
      headers: token ? { authorization: `Bearer ${token}` } : {},
      json: { language, voice, type: 'text', text: words },
    })
    return soundIn(answer)
  },
}
