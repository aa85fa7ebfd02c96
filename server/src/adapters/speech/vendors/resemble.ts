import type { SendRequest } from '../vendor-client'
import {
  groupByLanguage,
  createSynthesisTest,
  readRequiredRows,
  decodeAudio,
  readTextField,
  withProtocol,
  type CredentialFields,
  type VendorApi,
} from '../vendor-api'

const synthesize: NonNullable<VendorApi['synthesize']> = async (send, fields, { text: data, voice }) => {
  const customUri = readTextField(fields, 'resemble_tts_uri')
  const baseUrl = customUri
    ? withProtocol(customUri, fields.resemble_tts_use_tls ? 'https' : 'http')
    : 'https://f.cluster.resemble.ai'
  const response = await send({
    url: `${baseUrl}/synthesize`,
    headers: { authorization: `Bearer ${readTextField(fields, 'api_key')}` },
    json: { voice_uuid: voice, data, output_format: 'mp3' },
  })
  return decodeAudio(response.json<{ audio_content: string }>().audio_content)
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
  const response = await send({
    url: `https://app.resemble.ai/api/v2/voices?page=${page}&page_size=100`,
    headers: { authorization: `Token token=${readTextField(fields, 'api_key')}` },
  })
  const { items, num_pages = 1 } = response.json<Page>()
  const rows = readRequiredRows<Voice>(items)
  return page < Math.min(num_pages, maxPages) ? [...rows, ...(await fetchVoices(send, fields, page + 1))] : rows
}

const isReady = ({ status, component_status }: Partial<Voice>) =>
  status === 'finished' && (component_status?.text_to_speech?.status ?? 'ready') === 'ready'

export const resemble: VendorApi = {
  testSynthesis: createSynthesisTest(synthesize, '3f5fb9f1'),
  async fetchCatalogue(send, fields) {
    const listedVoices = (await fetchVoices(send, fields))
      .filter(isReady)
      .map(({ uuid = '', name = uuid, default_language }) => ({
        languages: [default_language || 'en-US'],
        value: uuid,
        name,
      }))
    return { tts: groupByLanguage(listedVoices) }
  },
  synthesize,
}
