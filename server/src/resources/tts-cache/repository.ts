import { createHash } from 'node:crypto'
import type { Cache } from '../../ports/cache'
import type { Sound } from '../../ports/speech'
import { Unavailable } from '../../ports/unavailable'

/** Voice servers keep what was spoken under these names, and so does this one. */
export const allKept = 'tts:'
export const keptFor = (account_sid: string) => `${allKept}${account_sid}:`

/** As long as voice servers keep it unless they are told otherwise. */
const seconds = 4 * 60 * 60

const written = ({ type, bytes }: Sound) => `${type}\n${bytes.toString('base64')}`

const read = (text: string): Sound => {
  const border = text.indexOf('\n')
  return { type: text.slice(0, border), bytes: Buffer.from(text.slice(border + 1), 'base64') }
}

/**
 * Lets an account say something once: asked again for the very same, it is answered out of the cache. Our names are unlike
 * those of voice servers, because what stands under theirs is in a form of their own. Without its cache it speaks all the same.
 */
export const sayOnce = async (
  cache: Cache,
  account_sid: string,
  asked: unknown,
  say: () => Promise<Sound>,
): Promise<Sound> => {
  const hash = createHash('sha256').update(JSON.stringify(asked)).digest('base64url')
  const key = `${keptFor(account_sid)}trunkline-${hash}`
  try {
    const found = await cache.get(key)
    if (found !== undefined) return read(found)
  } catch (error) {
    if (error instanceof Unavailable) return say()
    throw error
  }
  const sound = await say()
  await cache.set(key, written(sound), seconds).catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error
  })
  return sound
}
