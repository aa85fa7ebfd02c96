import { testBySynthesis, audioOf, textField, type VendorApi } from '../vendor-api'

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text, voice }) => {
  const answer = await send({
    url: 'https://api.wellsaidlabs.com/v1/tts/stream',
    headers: { 'x-api-key': textField(fields, 'api_key'), accept: 'audio/mpeg' },
    json: { text, speaker_id: Number(voice) },
  })
  return audioOf(answer)
}

export const wellsaid: VendorApi = { testSynthesis: testBySynthesis(synthesize, '3'), synthesize }
