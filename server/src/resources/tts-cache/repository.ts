import { createHash } from 'node:crypto'
import type { Cache } from '../../ports/cache'
import type { Sound } from '../../ports/speech'
import { Unavailable } from '../../ports/unavailable'

/** Voice servers keep what was spoken under these names, and so does this one. */
export const ttsPrefix = 'tts:'
export const accountPrefix = (account_sid: string) => `${ttsPrefix}${account_sid}:`

/** As long as voice servers keep it unless they are told otherwise. */
const lifetimeSeconds = 4 * 60 * 60

const serialize = ({ type, bytes }: Sound) => `${type}\n${bytes.toString('base64')}`

const parse = (text: string): Sound => {
  const separator = text.indexOf('\n')
  return { type: text.slice(0, separator), bytes: Buffer.from(text.slice(separator + 1), 'base64') }
}

/**
 * Lets an account say something once: asked again for the very same, it is answered out of the cache. Our names are unlike
 * those of voice servers, because what stands under theirs is in a form of their own. Without its cache it speaks all the same.
 */
export const synthesizeCached = async (
  cache: Cache,
  account_sid: string,
  request: unknown,
  synthesize: () => Promise<Sound>,
): Promise<Sound> => {
  const hash = createHash('sha256').update(JSON.stringify(request)).digest('base64url')
  const key = `${accountPrefix(account_sid)}trunkline-${hash}`
  try {
    const cached = await cache.get(key)
    if (cached !== undefined) return parse(cached)
  } catch (error) {
    if (error instanceof Unavailable) return synthesize()
    throw error
  }
  const audio = await synthesize()
  await cache.set(key, serialize(audio), lifetimeSeconds).catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error
  })
  return audio
}
