/** How many leading characters of a secret stay readable by default. */
const defaultVisibleCharacters = 6

const keyHeader = '-----BEGIN PRIVATE KEY-----\n'

/** Replaces a secret that is too short to show a part of it. Matches `looksObscured` and does not reveal the length. */
const fullyObscured = 'X'.repeat(defaultVisibleCharacters + 1)

/** Keeps the first characters and replaces the others by X. A secret without other characters is hidden completely. */
export const obscure = <T extends string | null | undefined>(
  secret: T,
  visibleCharacters: number = defaultVisibleCharacters,
): T => {
  if (typeof secret !== 'string' || secret === '') return secret
  if (secret.length <= visibleCharacters) return fullyObscured as T
  return (secret.slice(0, visibleCharacters) + 'X'.repeat(secret.length - visibleCharacters)) as T
}

/** The fields of Google's service account keys that are no secrets. */
const publicServiceKeyFields = new Set([
  'type',
  'project_id',
  'private_key_id',
  'client_email',
  'client_id',
  'auth_uri',
  'token_uri',
  'auth_provider_x509_cert_url',
  'client_x509_cert_url',
  'universe_domain',
  'model_id',
])

const obscureServiceKeyField = (name: string, value: unknown): unknown => {
  if (publicServiceKeyFields.has(name)) return value
  if (typeof value !== 'string') return value === null ? value : fullyObscured
  if (name !== 'private_key') return obscure(value)
  return keyHeader + obscure(value.startsWith(keyHeader) ? value.slice(keyHeader.length) : value)
}

/** Obscures a Google service account key: the private key, and all fields that may be secrets of another kind of key. */
export const obscureServiceKey = <T extends Record<string, unknown>>(key: T): T =>
  Object.fromEntries(Object.entries(key).map(([name, value]) => [name, obscureServiceKeyField(name, value)])) as T

/** Whether a client sent back an obscured value, so that the stored secret must stay. */
export const looksObscured = (value: string): boolean => /^.{4,6}X+$/.test(value)

/** `obscureServiceKey` for JSON text. Anything but a JSON object is obscured completely. */
export const obscureServiceKeyJson = (text: string): string => {
  try {
    const key: unknown = JSON.parse(text)
    return typeof key === 'object' && key !== null && !Array.isArray(key)
      ? JSON.stringify(obscureServiceKey(key as Record<string, unknown>))
      : obscure(text)
  } catch {
    return obscure(text)
  }
}

/** Whether a client sent back a service key with an obscured private key. */
export const isServiceKeyObscured = (text: string): boolean => /X{6,}/.test(text)
