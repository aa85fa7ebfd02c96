import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** 'malformed': not in the stored format. 'wrong_secret': encrypted with another secret. */
export type DecryptFailure = { ok: false; reason: 'malformed' | 'wrong_secret' }
export type DecryptResult = { ok: true; text: string } | DecryptFailure
export type DecryptJsonResult = { ok: true; value: Record<string, unknown> } | DecryptFailure

export interface SecretEncryption {
  /** Encrypts a value for a column. */
  encrypt: (text: string) => string
  /** Decrypts a column. */
  decrypt: (stored: string) => DecryptResult
  /** Decrypts a column that contains a JSON object. */
  decryptJson: (stored: string) => DecryptJsonResult
}

export interface EncryptionOptions {
  legacy?: boolean
  /** Called for the first failure only: with a wrong secret every value fails. */
  onError?: (message: string) => void
}

const unreadableMessage =
  `A stored secret cannot be decrypted: it was encrypted with another ENCRYPTION_SECRET, or is damaged. Such
values are shown as empty and not overwritten. Start the server with the secret that they were encrypted with.
If that secret is lost, set accounts.bucket_credential, applications.env_vars and clients.password of the affected rows
to null, and add the speech credentials again. This message appears once per start.`.replaceAll('\n', ' ')

const ivBytes = 16

/** The platform's key: the first 32 characters of the base64-encoded SHA-256 of the secret, as ASCII bytes. */
const deriveKey = (secret: string): Buffer =>
  Buffer.from(createHash('sha256').update(secret).digest('base64').slice(0, 32), 'ascii')

const parseStoredValue = (stored: string): { iv: Buffer; content: Buffer } | undefined => {
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
 * Encrypts columns in the platform's format, so that its other programs can read them. The format has no authentication tag:
 * a wrong secret shows only as invalid padding or invalid UTF-8. So `decrypt` may, very rarely, return garbage for a wrong
 * secret; `decryptJson` detects that too.
 */
export const createSecretEncryption = (
  secret: string,
  { legacy, onError }: EncryptionOptions = {},
): SecretEncryption => {
  const algorithm = legacy ? 'aes-256-ctr' : 'aes-256-cbc'
  const key = deriveKey(secret)

  let hasReported = false
  const reportFailure = (reason: DecryptFailure['reason']): DecryptFailure => {
    if (!hasReported) onError?.(unreadableMessage)
    hasReported = true
    return { ok: false, reason }
  }

  const decrypt = (stored: string): DecryptResult => {
    const encrypted = parseStoredValue(stored)
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
      const iv = randomBytes(ivBytes)
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
        // Not JSON, so it was encrypted with another secret.
      }
      return reportFailure('wrong_secret')
    },
  }
}
