import { randomInt, randomUUID } from 'node:crypto'

const base58Alphabet = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
/** The length of 128 bits in base 58. */
const shortIdLength = 22

/** A random UUID (version 4) for a SID or an API token. */
export const uuid = (): string => randomUUID()

/**
 * A UUID (version 7) that starts with a time in ms since 1970, so that rows are stored in the order of their creation.
 * `digest`: at least 10 bytes, from which the UUID follows instead of being random.
 */
export const uuidAt = (timeMs: number, digest?: Buffer): string => {
  const time = timeMs.toString(16).padStart(12, '0')
  const suffix = digest ? formatUuidSuffix(digest) : randomUUID().slice(15)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${suffix}`
}

/** The end of a UUID, after its version: the variant 10 in binary, and the other bits from a digest. */
const formatUuidSuffix = (digest: Buffer): string => {
  const digits = digest.toString('hex')
  const variant = (8 + (digest[9]! % 4)).toString(16)
  return `${digits.slice(0, 3)}-${variant}${digits.slice(3, 6)}-${digits.slice(6, 18)}`
}

/** Encodes a UUID as 22 characters in base 58. */
export const encodeBase58 = (id: string): string => {
  let quotient = BigInt(`0x${id.replaceAll('-', '')}`)
  let digits = ''
  while (quotient > 0n) {
    digits = base58Alphabet.charAt(Number(quotient % 58n)) + digits
    quotient /= 58n
  }
  return digits.padStart(shortIdLength, base58Alphabet.charAt(0))
}

/** A random short identifier, for password reset links and the names of copied carriers. */
export const generateShortId = (): string => encodeBase58(randomUUID())

/** A random secret for signing an account's webhook requests. */
export const generateWebhookSecret = (): string => `wh_secret_${generateShortId()}`

/** A random first password. It satisfies every password rule and is easy to read aloud. */
export const generatePassword = (): string => {
  const randomGroup = () =>
    Array.from({ length: 5 }, () => base58Alphabet.charAt(randomInt(base58Alphabet.length))).join('')
  return `${randomGroup()}-${randomGroup()}-${randomGroup()}-${randomGroup()}${randomInt(1, 10)}`
}
