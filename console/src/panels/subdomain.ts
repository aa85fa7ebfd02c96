import { messages } from '@trunkline/contract/messages/sip-realm'

/** The shortest subdomain that users may choose. */
export const minSubdomainLength = 3
const maxSubdomainLength = 63
const maxRealmLength = 132

/** Converts typed text: domains do not distinguish capitals. */
export const toSubdomain = (text: string): string => text.trim().toLowerCase()

export const toRealm = (subdomain: string, rootDomain: string): string => `${subdomain}.${rootDomain}`

/** Returns why a subdomain is invalid, apart from its minimum length. */
export const findSubdomainError = (subdomain: string, rootDomain: string): string | undefined => {
  if (/[^a-z0-9-]/.test(subdomain)) return messages.invalidCharacters
  if (/^-|-$/.test(subdomain)) return messages.hyphenAtEnd
  const maxLength = Math.min(maxSubdomainLength, maxRealmLength - rootDomain.length - 1)
  return subdomain.length > maxLength ? messages.tooLong(maxLength) : undefined
}
