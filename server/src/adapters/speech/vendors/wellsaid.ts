import { bySaying, soundIn, text, type VendorApi } from '../vendor'

const says: NonNullable<VendorApi['says']> = async (ask, parts, { text: words, voice }) => {
  const answer = await ask({
    url: 'https://api.wellsaidlabs.com/v1/tts/stream',
    headers: { 'x-api-key': text(parts, 'api_key'), accept: 'audio/mpeg' },
    json: { text: words, speaker_id: Number(voice) },
  })
  return soundIn(answer)
}

export const wellsaid: VendorApi = { speaks: bySaying(says, '3'), says }
