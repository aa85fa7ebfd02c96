import { obscure, obscureServiceKeyJson } from './obscure'

type Credential = Record<string, unknown>

const obscureByField: Record<string, (secret: string) => string> = {
  secret_access_key: obscure,
  connection_string: obscure,
  service_key: obscureServiceKeyJson,
}

/** The credential of a bucket as every answer shows it, list or single: its secrets obscured. */
export const obscureCredential = (credential: Credential): Credential =>
  Object.fromEntries(
    Object.entries(credential).map(([name, value]) => {
      const hide = obscureByField[name]
      return [name, hide && typeof value === 'string' ? hide(value) : value]
    }),
  )
