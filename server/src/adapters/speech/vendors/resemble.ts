import type { SendRequest } from '../vendor-client'
import {
  groupByLanguage,
  testBySynthesis,
  requiredRows,
  decodeAudio,
  textField,
  withProtocol,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text: data, voice }) => {
  const customUri = textField(fields, 'resemble_tts_uri')
  const base = customUri
    ? withProtocol(customUri, fields.resemble_tts_use_tls ? 'https' : 'http')
    : 'https://f.cluster.resemble.ai'
  const answer = await send({
    url: `${base}/synthesize`,
    headers: { authorization: `Bearer ${textField(fields, 'api_key')}` },
    json: { voice_uuid: voice, data, output_format: 'mp3' },
  })
  return decodeAudio(answer.json<{ audio_content: string }>().audio_content)
}

interface Voice {
  uuid: string
  name: string
  status: string
  default_language: string
  component_status: { text_to_speech?: { status?: string } } | null
}
interface Page {
  items: unknown
  num_pages: number
}

/** Maximum pages of one hundred voices. */
const maxPages = 20

const fetchVoices = async (send: SendRequest, fields: CredentialFields, page = 1): Promise<Partial<Voice>[]> => {
  const answer = await send({
    url: `https://app.resemble.ai/api/v2/voices?page=${page}&page_size=100`,
    headers: { authorization: `Token token=${textField(fields, 'api_key')}` },
  })
  const { items, num_pages = 1 } = answer.json<Page>()
  const rows = requiredRows<Voice>(items)
  return page < Math.min(num_pages, maxPages) ? [...rows, ...(await fetchVoices(send, fields, page + 1))] : rows
}

const isReady = ({ status, component_status }: Partial<Voice>) =>
  status === 'finished' && (component_status?.text_to_speech?.status ?? 'ready') === 'ready'

export const resemble: VendorApi = {
  testSynthesis: testBySynthesis(synthesize, '3f5fb9f1'),
  async fetchCatalogue(send, fields) {
    const listed = (await fetchVoices(send, fields))
      .filter(isReady)
      .map(({ uuid = '', name = uuid, default_language }) => ({
        languages: [default_language || 'en-US'],
        value: uuid,
        name,
      }))
    return { tts: groupByLanguage(listed) }
  },
  synthesize,
}
