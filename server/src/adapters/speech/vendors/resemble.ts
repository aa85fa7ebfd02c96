import type { Ask } from '../ask'
import { byLanguage, bySaying, listedRows, soundOf, text, withProtocol, type Parts, type VendorApi } from '../vendor'

const says: NonNullable<VendorApi['says']> = async (ask, parts, { text: data, voice }) => {
  const own = text(parts, 'resemble_tts_uri')
  const base = own ? withProtocol(own, parts.resemble_tts_use_tls ? 'https' : 'http') : 'https://f.cluster.resemble.ai'
  const answer = await ask({
    url: `${base}/synthesize`,
    headers: { authorization: `Bearer ${text(parts, 'api_key')}` },
    json: { voice_uuid: voice, data, output_format: 'mp3' },
  })
  return soundOf(answer.json<{ audio_content: string }>().audio_content)
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

/** So many pages of a hundred voices are looked through. */
const pages = 20

const all = async (ask: Ask, parts: Parts, page = 1): Promise<Partial<Voice>[]> => {
  const answer = await ask({
    url: `https://app.resemble.ai/api/v2/voices?page=${page}&page_size=100`,
    headers: { authorization: `Token token=${text(parts, 'api_key')}` },
  })
  const { items, num_pages = 1 } = answer.json<Page>()
  const rows = listedRows<Voice>(items)
  return page < Math.min(num_pages, pages) ? [...rows, ...(await all(ask, parts, page + 1))] : rows
}

const isReady = ({ status, component_status }: Partial<Voice>) =>
  status === 'finished' && (component_status?.text_to_speech?.status ?? 'ready') === 'ready'

export const resemble: VendorApi = {
  speaks: bySaying(says, '3f5fb9f1'),
  async lists(ask, parts) {
    const listed = (await all(ask, parts)).filter(isReady).map(({ uuid = '', name = uuid, default_language }) => ({
      languages: [default_language || 'en-US'],
      value: uuid,
      name,
    }))
    return { tts: byLanguage(listed) }
  },
  says,
}
