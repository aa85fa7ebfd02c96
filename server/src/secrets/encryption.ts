import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Why a stored value could not be read: it is not in the stored form, or it was sealed with another secret. */
export type DecryptFailure = { ok: false; reason: 'malformed' | 'wrong_secret' }
export type DecryptResult = { ok: true; text: string } | DecryptFailure
export type DecryptJsonResult = { ok: true; value: Record<string, unknown> } | DecryptFailure

export interface SecretEncryption {
  /** Encrypts a text for a column. */
  encrypt: (text: string) => string
  /** Reads a sealed column. */
  decrypt: (stored: string) => DecryptResult
  /** Reads a sealed column that holds a JSON object. */
  decryptJson: (stored: string) => DecryptJsonResult
}

export interface EncryptionOptions {
  legacy?: boolean
  /** Hears of the first value that could not be read. One tells enough: a wrong secret reads none. */
  onError?: (message: string) => void
}

const UNREADABLE_MESSAGE =
  `A stored secret cannot be read: it was encrypted with another ENCRYPTION_SECRET, or is damaged. Such
values are shown as absent and not overwritten. Start the server with the secret that they were encrypted with;
if that is lost, set accounts.bucket_credential, applications.env_vars and clients.password of the rows concerned to
null, and add speech credentials anew. This is said once.`.replaceAll('\n', ' ')

const IV_BYTES = 16

/** The platform's key: the first 32 characters of the base64 text of the secret's SHA-256, taken as bytes. */
const keyOf = (secret: string): Buffer =>
  Buffer.from(createHash('sha256').update(secret).digest('base64').slice(0, 32), 'ascii')

const parse = (stored: string): { iv: Buffer; content: Buffer } | undefined => {
  try {
    const encrypted: unknown = JSON.parse(stored)
    if (typeof encrypted !== 'object' || encrypted === null || !('iv' in encrypted) || !('content' in encrypted))
      return undefined
    const { iv, content } = encrypted
    if (typeof iv !== 'string' || typeof content !== 'string') return undefined
    if (!/^[0-9a-f]{32}$/i.test(iv) || !/^(?:[0-9a-f]{2})*$/i.test(content)) return undefined
    return { iv: Buffer.from(iv, 'hex'), content: Buffer.from(content, 'hex') }
  } catch {
    return undefined
  }
}

/**
 * Encryption of single columns, readable by the platform's other programs and the other way round. The form has no
 * seal of its own: a wrong secret shows only in padding or in bytes that are no text, so `open` may, once in a long
 * while, give nonsense for it; `openJson` catches that too.
 */
export const secretEncryption = (secret: string, { legacy, onError }: EncryptionOptions = {}): SecretEncryption => {
  const algorithm = legacy ? 'aes-256-ctr' : 'aes-256-cbc'
  const key = keyOf(secret)

  let hasReported = false
  const reportFailure = (reason: DecryptFailure['reason']): DecryptFailure => {
    if (!hasReported) onError?.(UNREADABLE_MESSAGE)
    hasReported = true
    return { ok: false, reason }
  }

  const decrypt = (stored: string): DecryptResult => {
    const encrypted = parse(stored)
    if (!encrypted) return reportFailure('malformed')
    try {
      const decipher = createDecipheriv(algorithm, key, encrypted.iv)
      const bytes = Buffer.concat([decipher.update(encrypted.content), decipher.final()])
      return { ok: true, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
    } catch {
      return reportFailure('wrong_secret')
    }
  }

  return {
    encrypt(text) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(algorithm, key, iv)
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return JSON.stringify({ iv: iv.toString('hex'), content: content.toString('hex') })
    },
    decrypt,
    decryptJson(stored) {
      const decrypted = decrypt(stored)
      if (!decrypted.ok) return decrypted
      try {
        const value: unknown = JSON.parse(decrypted.text)
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
          return { ok: true, value: value as Record<string, unknown> }
        }
      } catch {
        // Falls through: text that is no JSON came from another secret.
      }
      return reportFailure('wrong_secret')
    },
  }
}
