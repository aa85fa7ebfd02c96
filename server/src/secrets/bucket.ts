import { obscure, obscureServiceKey } from './obscure'

type Credential = Record<string, unknown>

/** A Google service key as it may be shown: readable but for its private key. */
const obscuredKey = (text: string): string => {
  try {
    const key: unknown = JSON.parse(text)
    return typeof key === 'object' && key !== null
      ? JSON.stringify(obscureServiceKey(key as Credential))
      : obscure(text)
  } catch {
    return obscure(text)
  }
}

const hiding: Record<string, (secret: string) => string> = {
  secret_access_key: obscure,
  connection_string: obscure,
  service_key: obscuredKey,
}

/** The credential of a bucket as every answer shows it, list or single: its secrets obscured. */
export const obscureCredential = (credential: Credential): Credential =>
  Object.fromEntries(
    Object.entries(credential).map(([name, value]) => {
      const hide = hiding[name]
      return [name, hide && typeof value === 'string' ? hide(value) : value]
    }),
  )
