import { createHash } from 'node:crypto'
import type { Cache } from '../../ports/cache'
import type { Audio } from '../../ports/speech'
import { UnavailableError } from '../../ports/service-errors'

/** The key prefix under which voice servers, and this server, cache synthesized speech. */
export const ttsPrefix = 'tts:'
export const buildAccountPrefix = (account_sid: string) => `${ttsPrefix}${account_sid}:`

/** The default lifetime on voice servers. */
const lifetimeSeconds = 4 * 60 * 60

const serializeAudio = ({ type, bytes }: Audio) => `${type}\n${bytes.toString('base64')}`

const parseAudio = (text: string): Audio => {
  const separator = text.indexOf('\n')
  return { type: text.slice(0, separator), bytes: Buffer.from(text.slice(separator + 1), 'base64') }
}

/**
 * Synthesizes speech, or returns it from the account's cache if the same request was made before. The keys differ from
 * those of voice servers, because their values have another format. Without the cache, speech is synthesized every time.
 */
export const synthesizeCached = async (
  cache: Cache,
  account_sid: string,
  request: unknown,
  synthesize: () => Promise<Audio>,
): Promise<Audio> => {
  const hash = createHash('sha256').update(JSON.stringify(request)).digest('base64url')
  const key = `${buildAccountPrefix(account_sid)}trunkline-${hash}`
  try {
    const cachedText = await cache.get(key)
    if (cachedText !== undefined) return parseAudio(cachedText)
  } catch (error) {
    if (error instanceof UnavailableError) return synthesize()
    throw error
  }
  const audio = await synthesize()
  await cache.set(key, serializeAudio(audio), lifetimeSeconds).catch((error: unknown) => {
    if (!(error instanceof UnavailableError)) throw error
  })
  return audio
}
