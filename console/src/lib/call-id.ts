const minLength = 8
/** Texts without a host that are shorter are more often names or numbers than Call-IDs. */
const minLengthWithoutHost = 16

/**
 * Could this text be a SIP Call-ID? RFC 3261 leaves the form to implementations: most use a random string, some append
 * a host.
 */
export const isCallId = (text: string): boolean => {
  if (!/^\S{1,255}$/.test(text) || text.length < minLength) return false
  return text.includes('@') || (text.length >= minLengthWithoutHost && /\d/.test(text) && /[a-z]/i.test(text))
}
