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

/** The value of a field in responses: secrets are masked. */
export const presentField = (field: Field, value: unknown): unknown => {
  if (!isSecret(field) || typeof value !== 'string') return value
  return field.kind === 'service-key' ? obscureServiceKeyJson(value) : obscure(value)
}

/** Whether the value is a masked secret that a server returned earlier. */
export const isMasked = (field: Field, value: unknown): boolean => {
  if (!isSecret(field) || typeof value !== 'string') return false
  return field.kind === 'service-key' ? isServiceKeyObscured(value) : looksObscured(value)
}
