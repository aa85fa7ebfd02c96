/** How many characters of a speech or bucket secret stay readable. */
const VISIBLE_CHARACTERS = 6

const KEY_HEADER = '-----BEGIN PRIVATE KEY-----\n'

/** Shown for a secret that is too short to show a part of it. It matches `looksObscured`, and does not reveal the length. */
const HIDDEN = 'X'.repeat(VISIBLE_CHARACTERS + 1)

/** Keeps the first characters and replaces each other one by an X. A secret without other characters is hidden completely. */
export const obscure = <T extends string | null | undefined>(
  secret: T,
  visibleCharacters: number = VISIBLE_CHARACTERS,
): T => {
  if (typeof secret !== 'string' || secret === '') return secret
  if (secret.length <= visibleCharacters) return HIDDEN as T
  return (secret.slice(0, visibleCharacters) + 'X'.repeat(secret.length - visibleCharacters)) as T
}

/** A Google service account key, as an object, with its private key made unreadable. */
export const obscureServiceKey = <T extends Record<string, unknown>>(key: T): T => {
  if (typeof key.private_key !== 'string') return key
  const body = key.private_key.startsWith(KEY_HEADER) ? key.private_key.slice(KEY_HEADER.length) : key.private_key
  return { ...key, private_key: KEY_HEADER + obscure(body) }
}

/** Whether a value that a client sends back is an obscured one, so that the stored secret has to stay. */
export const looksObscured = (value: string): boolean => /^.{4,6}X+$/.test(value)

/** The same for the text of a key. What is no JSON object is obscured as a whole. */
export const obscureServiceKeyJson = (text: string): string => {
  try {
    const key: unknown = JSON.parse(text)
    return typeof key === 'object' && key !== null
      ? JSON.stringify(obscureServiceKey(key as Record<string, unknown>))
      : obscure(text)
  } catch {
    return obscure(text)
  }
}

/** Does a service key come back with its private key as this server showed it? */
export const isServiceKeyObscured = (text: string): boolean => /X{6,}/.test(text)
