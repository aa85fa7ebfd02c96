import { isSecret, packCredential, unpackCredential, type Unpacked } from '@trunkline/contract/speech/credential'
import type { Field, Vendor } from '@trunkline/contract/speech/vendor'
import { vendorOf } from '@trunkline/contract/speech/vendors'
import type { SecretEncryption } from '../../secrets/encryption'
import { looksObscured, obscure, obscureServiceKeyJson, isServiceKeyObscured } from '../../secrets/obscure'

/** As long as the column that keeps it. */
const maxCiphertextLength = 8192

/** The encrypted form of a credential, with what others keep beside it; undefined where it is too long for its column. */
export const encryptCredential = (
  vault: SecretEncryption,
  vendor: Vendor,
  { fields, others }: Unpacked,
): string | undefined => {
  const text = vault.encrypt(JSON.stringify({ ...others, ...packCredential(vendor, fields) }))
  return text.length > maxCiphertextLength ? undefined : text
}

/** A stored credential in clear; undefined where it cannot be read, or its vendor is not known. */
export const decryptCredential = (
  vault: SecretEncryption,
  vendor: string,
  credential: unknown,
): Unpacked | undefined => {
  const descriptor = vendorOf(vendor)
  const decrypted = typeof credential === 'string' ? vault.decryptJson(credential) : undefined
  return descriptor && decrypted?.ok ? unpackCredential(descriptor, decrypted.value) : undefined
}

/** A field as every answer shows it: a secret obscured. */
export const presentField = (field: Field, value: unknown): unknown => {
  if (!isSecret(field) || typeof value !== 'string') return value
  return field.kind === 'service-key' ? obscureServiceKeyJson(value) : obscure(value)
}

/** Is this a secret as a server showed it, sent back? */
export const isMasked = (field: Field, value: unknown): boolean => {
  if (!isSecret(field) || typeof value !== 'string') return false
  return field.kind === 'service-key' ? isServiceKeyObscured(value) : looksObscured(value)
}
