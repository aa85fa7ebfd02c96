import { obscure, obscureServiceKeyJson } from './obscure'

type Credential = Record<string, unknown>

const obscureByField: Record<string, (secret: string) => string> = {
  secret_access_key: obscure,
  connection_string: obscure,
  service_key: obscureServiceKeyJson,
}

/** A bucket credential for API responses, with obscured secrets. */
export const obscureBucketCredential = (credential: Credential): Credential =>
  Object.fromEntries(
    Object.entries(credential).map(([name, value]) => {
      const obscureValue = obscureByField[name]
      return [name, obscureValue && typeof value === 'string' ? obscureValue(value) : value]
    }),
  )
