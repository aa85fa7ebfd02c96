const schemes = ['http:', 'https:', 'ws:', 'wss:']
const hostPattern =
  /^(localhost|[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+|\[[0-9a-fA-F:.]+\])$/

/** Why a webhook URL is invalid, with the API's message for the named field; undefined if it is valid. */
export const findWebhookUrlError = (field: string, url: string): string | undefined => {
  if (url !== url.trim()) return `${field} URL contains leading/trailing whitespace`
  let parsed: URL
  try {
    parsed = new URL(url)
  } catch {
    return `${field} URL is invalid`
  }
  if (!schemes.includes(parsed.protocol)) return `${field} URL has missing or invalid protocol ${parsed.protocol}`
  if (!hostPattern.test(parsed.hostname)) return `${field} URL has invalid hostname ${parsed.hostname}`
  return undefined
}
