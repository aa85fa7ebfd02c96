import {
  isSecret,
  packCredential,
  unpackCredential,
  type UnpackedCredential,
} from '@trunkline/contract/speech/credential'
import type { Field, Vendor } from '@trunkline/contract/speech/vendor'
import { findVendorById } from '@trunkline/contract/speech/vendors'
import type { SecretEncryption } from '../../secrets/encryption'
import { looksObscured, obscure, obscureServiceKeyJson, isServiceKeyObscured } from '../../secrets/obscure'

/** The length of the column `speech_credentials.credential`. */
const maxCiphertextLength = 8192

/** Encrypts the fields of a credential, with other fields that another program stored. Undefined if it is too long. */
export const encryptCredential = (
  encryption: SecretEncryption,
  vendor: Vendor,
  { fields, otherFields }: UnpackedCredential,
): string | undefined => {
  const text = encryption.encrypt(JSON.stringify({ ...otherFields, ...packCredential(vendor, fields) }))
  return text.length > maxCiphertextLength ? undefined : text
}

/** Decrypts a stored credential. Undefined if it cannot be read or its vendor is unknown. */
export const decryptCredential = (
  encryption: SecretEncryption,
  vendor: string,
  credential: unknown,
): UnpackedCredential | undefined => {
  const vendorDefinition = findVendorById(vendor)
  const decrypted = typeof credential === 'string' ? encryption.decryptJson(credential) : undefined
  return vendorDefinition && decrypted?.ok ? unpackCredential(vendorDefinition, decrypted.value) : undefined
}

/**
 * The value of a field in responses: secrets are masked. Other programs may store values of any type. An object is returned as
 * JSON text, or as null if the field is a flag, because one malformed value must not make a whole list unreadable.
 */
export const presentField = (field: Field, value: unknown): unknown => {
  if (value === null || value === undefined) return value
  if (isSecret(field)) {
    const secretText = typeof value === 'string' ? value : JSON.stringify(value)
    return field.kind === 'service-key' ? obscureServiceKeyJson(secretText) : obscure(secretText)
  }
  if (typeof value !== 'object') return value
  return field.kind === 'flag' ? null : JSON.stringify(value)
}

/** Whether the value is a masked secret that a server returned earlier. */
export const isMasked = (field: Field, value: unknown): boolean => {
  if (!isSecret(field) || typeof value !== 'string') return false
  return field.kind === 'service-key' ? isServiceKeyObscured(value) : looksObscured(value)
}
