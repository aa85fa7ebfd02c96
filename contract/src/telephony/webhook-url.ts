const schemes = ['http:', 'https:', 'ws:', 'wss:']
const hostPattern =
  /^(localhost|[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)+|\[[0-9a-fA-F:.]+\])$/

/** Why a webhook URL is invalid, with the API's message for the named field; undefined if it is valid. */
export const findWebhookUrlError = (field: string, url: string): string | undefined => {
  if (url !== url.trim()) return `${field} URL contains leading/trailing whitespace`
  let parsedUrl: URL
  try {
    parsedUrl = new URL(url)
  } catch {
    return `${field} URL is invalid`
  }
  if (!schemes.includes(parsedUrl.protocol)) return `${field} URL has missing or invalid protocol ${parsedUrl.protocol}`
  if (!hostPattern.test(parsedUrl.hostname)) return `${field} URL has invalid hostname ${parsedUrl.hostname}`
  return undefined
}
