import { randomInt, randomUUID } from 'node:crypto'

const BASE58 = '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const INVITE = '0123456789ABCXZ'
/** What 128 bits need in base 58. */
const SHORT_LENGTH = 22

/** A row's identifier or an API token: UUID version 4. */
export const uuid = (): string => randomUUID()

/** An identifier that begins with the time, so that rows lie in the order in which they came. */
export const uuidAt = (now: number): string => {
  const time = now.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

/** A UUID as 22 characters of base 58. */
export const shorten = (id: string): string => {
  let rest = BigInt(`0x${id.replaceAll('-', '')}`)
  let digits = ''
  while (rest > 0n) {
    digits = BASE58.charAt(Number(rest % 58n)) + digits
    rest /= 58n
  }
  return digits.padStart(SHORT_LENGTH, BASE58.charAt(0))
}

/** A fresh short identifier: links for a new password, the end of a copied carrier's name. */
export const shortId = (): string => shorten(randomUUID())

/** The secret with which an account's webhooks are signed. */
export const webhookSecret = (): string => `wh_secret_${shortId()}`

/** A code that lets somebody register during a closed test. */
export const inviteCode = (): string =>
  Array.from({ length: 6 }, () => INVITE.charAt(randomInt(INVITE.length))).join('')

/** A first password that fulfils any rule on digits and special characters and can be read out loud. */
export const generatePassword = (): string => {
  const group = () => Array.from({ length: 5 }, () => BASE58.charAt(randomInt(BASE58.length))).join('')
  return `${group()}-${group()}-${group()}-${group()}${randomInt(1, 10)}`
}
