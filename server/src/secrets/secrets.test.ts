import { createDecipheriv } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createSecretEncryption } from './encryption'
import { generatePassword, generateShortId, encodeBase58, uuid, generateWebhookSecret } from './ids'
import { looksObscured, obscure, obscureServiceKey, obscureServiceKeyJson } from './obscure'
import { hashPassword, verifyPassword } from './password'

/** Created with the openssl command, independently of this code. */
const secret = 'trunkline-test-secret'
const derivedKey = 'HycxgsyGW0Lsw8U64MXYN4j/LifTtz3F'
const iv = '000102030405060708090a0b0c0d0e0f'
const text = '{"api_key":"sk-0123456789","nürnberg":"✓"}'
const cbc = '03da1da5b0a0166661f0afa447dbc09c5dba7c7faab9f0bdea9baec9dd1d850fd6af05b5857a8a8c4f8014c90553edcd'
const ctr = '85444516a71f72c5946e90e6a432c26075c13d52016d2a2c0763043ca43bdea22c8d5c437dbc384b78fbee8d5b'
const encryptedValues = [
  { name: 'CBC', legacy: false, stored: `{"iv":"${iv}","content":"${cbc}"}`, text },
  { name: 'CTR', legacy: true, stored: `{"iv":"${iv}","content":"${ctr}"}`, text },
]

/** Test vectors of the reference implementation. */
const passwordHashes = [
  {
    name: 'argon2i',
    stored: '$argon2i$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$wWKIMhR9lyDFvRz9YTZweHKfbftvj+qf+YFY4NeBbtA',
    password: 'password',
  },
  {
    name: 'argon2id',
    stored: '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    password: 'password',
  },
]

describe('an encrypted column', () => {
  test.each(encryptedValues)('can be decrypted if another program encrypted it: $name', ({ legacy, stored, text }) => {
    expect(createSecretEncryption(secret, { legacy }).decrypt(stored)).toEqual({ ok: true, text })
  })

  test('has the documented format, and a new IV each time', () => {
    const { encrypt, decrypt } = createSecretEncryption(secret)
    const text = JSON.stringify({ api_key: 'ключ 📞' })
    const stored = encrypt(text)
    expect(stored).toMatch(/^\{"iv":"[0-9a-f]{32}","content":"([0-9a-f]{32})+"\}$/)
    expect(encrypt(text)).not.toBe(stored)
    expect(decrypt(stored)).toEqual({ ok: true, text })
    const { iv, content } = JSON.parse(stored) as { iv: string; content: string }
    const decipher = createDecipheriv('aes-256-cbc', Buffer.from(derivedKey, 'ascii'), Buffer.from(iv, 'hex'))
    expect(decipher.update(content, 'hex', 'utf8') + decipher.final('utf8')).toBe(text)
  })

  test.each([undefined, true])('decrypts to the same text, with legacy = %s', (legacy) => {
    const { encrypt, decrypt } = createSecretEncryption('another secret', { legacy })
    for (const text of ['', 'x', '\ufeffmark', 'a'.repeat(4096)])
      expect(decrypt(encrypt(text))).toEqual({ ok: true, text })
  })

  test('reports whether it is malformed or from another secret', () => {
    const { decrypt, decryptJson, encrypt } = createSecretEncryption(secret)
    for (const stored of ['', '{}', 'plain', 'null', '{"iv":"00","content":"00"}', '{"iv":1,"content":2}']) {
      expect(decrypt(stored)).toEqual({ ok: false, reason: 'malformed' })
    }
    const foreign = createSecretEncryption('not the secret')
    for (let i = 0; i < 300; i += 1) {
      expect(decryptJson(foreign.encrypt(`{"n":${i}}`))).toEqual({ ok: false, reason: 'wrong_secret' })
    }
    expect(decryptJson(encrypt('{"a":1}'))).toEqual({ ok: true, value: { a: 1 } })
    expect(decryptJson(encrypt('[1]'))).toEqual({ ok: false, reason: 'wrong_secret' })
  })
})

describe('a password', () => {
  test('is hashed with the parameters of the platform', async () => {
    const stored = await hashPassword('correct horse')
    expect(stored).toMatch(/^\$argon2i\$v=19\$m=65536,t=3,p=4\$[\w+/]{43}\$[\w+/]{43}$/)
    expect(await verifyPassword(stored, 'correct horse')).toBe(true)
    expect(await verifyPassword(stored, 'wrong horse')).toBe(false)
  })

  test.each(passwordHashes)('matches a hash of another program: $name', async ({ stored, password }) => {
    expect(await verifyPassword(stored, password)).toBe(true)
    expect(await verifyPassword(stored, `${password}x`)).toBe(false)
  })

  test('never matches a missing or broken hash', async () => {
    const cost = { memoryCost: 32, timeCost: 1, parallelism: 1 }
    expect(await verifyPassword(null, 'x', cost)).toBe(false)
    expect(await verifyPassword('', '', cost)).toBe(false)
    expect(await verifyPassword('not a hash', 'not a hash', cost)).toBe(false)
  })
})

describe('identifiers', () => {
  test('have the documented formats', () => {
    expect(uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(generateShortId()).toMatch(/^[1-9A-HJ-NP-Za-km-z]{22}$/)
    expect(generateWebhookSecret()).toMatch(/^wh_secret_[1-9A-HJ-NP-Za-km-z]{22}$/)
    expect(generatePassword()).toMatch(/^[1-9A-Za-z]{5}(-[1-9A-Za-z]{5}){3}[1-9]$/)
  })

  test('are shortened to base 58 with leading ones', () => {
    expect(encodeBase58('00000000-0000-0000-0000-000000000000')).toBe('1'.repeat(22))
    expect(encodeBase58('00000000-0000-0000-0000-00000000003a')).toBe(`${'1'.repeat(20)}21`)
    expect(encodeBase58('ffffffff-ffff-ffff-ffff-ffffffffffff')).toBe('xBuEXKpA6iqZQK5Kf2TnkV')
  })
})

describe('an obscured secret', () => {
  test('keeps its first characters and its length', () => {
    expect(obscure('abcdefghij')).toBe('abcdefXXXX')
    expect(obscure('secret', 1)).toBe('sXXXXX')
    expect([obscure(null), obscure(undefined), obscure('')]).toEqual([null, undefined, ''])
  })

  test('is hidden completely if it is short, and still recognised when sent back', () => {
    for (const short of ['S', 'SK', 'abcdef']) {
      expect(obscure(short)).toBe('XXXXXXX')
      expect(looksObscured(obscure(short))).toBe(true)
    }
    expect(obscure('p', 1)).toBe('XXXXXXX')
    expect(obscureServiceKey({ private_key: 'short' })).toEqual({
      private_key: '-----BEGIN PRIVATE KEY-----\nXXXXXXX',
    })
  })

  test('in a service key leaves the other fields unchanged', () => {
    const key = {
      type: 'service_account',
      private_key: '-----BEGIN PRIVATE KEY-----\nMIIEvQIB\n-----END PRIVATE KEY-----\n',
    }
    expect(obscureServiceKey(key)).toEqual({
      type: 'service_account',
      private_key: `-----BEGIN PRIVATE KEY-----\nMIIEvQ${'X'.repeat(29)}`,
    })
    expect(obscureServiceKey({ type: 'other' })).toEqual({ type: 'other' })
  })

  test('in a key of another kind than a service account keeps no secret field readable', () => {
    const userKey = {
      type: 'authorized_user',
      client_id: 'id.apps.example.com',
      client_secret: 'GOCSPX-secret',
      refresh_token: '1//refresh-token',
      nested: { secret: 'value' },
    }
    expect(JSON.parse(obscureServiceKeyJson(JSON.stringify(userKey)))).toEqual({
      type: 'authorized_user',
      client_id: 'id.apps.example.com',
      client_secret: 'GOCSPXXXXXXXX',
      refresh_token: '1//refXXXXXXXXXX',
      nested: 'XXXXXXX',
    })
    expect(obscureServiceKeyJson('["a secret in a list"]')).toBe(`["a se${'X'.repeat(16)}`)
  })

  test('is recognised when sent back', () => {
    for (const value of ['abcdefXXXX', 'abcdX', 'abcdeX']) expect(looksObscured(value)).toBe(true)
    for (const value of ['abcdefgXXX', 'XXX', 'abcdef', 'abcXXXd']) expect(looksObscured(value)).toBe(false)
  })
})
