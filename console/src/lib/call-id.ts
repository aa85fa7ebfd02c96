const minLength = 8
/** Without a host, shorter texts are names or numbers more often than Call-IDs. */
const minLengthWithoutHost = 16

/** Can this text be a SIP Call-ID? RFC 3261 leaves its form to each implementation: most are a random word, some with a host. */
export const isCallId = (text: string): boolean => {
  if (!/^\S{1,255}$/.test(text) || text.length < minLength) return false
  return text.includes('@') || (text.length >= minLengthWithoutHost && /\d/.test(text) && /[a-z]/i.test(text))
}
