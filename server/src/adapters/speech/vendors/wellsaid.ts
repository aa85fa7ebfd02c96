import { createSynthesisTest, extractAudio, readTextField, type VendorApi } from '../vendor-api'

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text, voice }) => {
  const response = await send({
    url: 'https://api.wellsaidlabs.com/v1/tts/stream',
    headers: { 'x-api-key': readTextField(fields, 'api_key'), accept: 'audio/mpeg' },
    json: { text, speaker_id: Number(voice) },
  })
  return extractAudio(response)
}

export const wellsaid: VendorApi = { testSynthesis: createSynthesisTest(synthesize, '3'), synthesize }
