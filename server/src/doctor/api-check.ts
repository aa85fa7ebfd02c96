import { failed, passed, type Check, type Finding } from './checks'

/** Judges the response to a request without a credential, which an API server refuses. */
const judgeApiResponse = (apiBaseUrl: string, { status, headers }: Response): Finding => {
  const isJson = /\bjson\b/.test(headers.get('content-type') ?? '')
  if (status >= 500)
    return failed(`${apiBaseUrl} fails (status ${status}).`, 'Check that the server of this API works.')
  if (status === 401 || (isJson && status !== 404)) return passed(`${apiBaseUrl} answers (status ${status}).`)
  return failed(
    `${apiBaseUrl} is not an API server of version 1 (status ${status}).`,
    'Check API_BASE_URL. Is /v1 missing at its end?',
  )
}

/** The console alone needs only the other API. */
export const createApiCheck = (apiBaseUrl: string): Check => ({
  name: 'API',
  run: async () => {
    try {
      // A server that also serves a console returns a page for any URL outside its API.
      const response = await fetch(`${apiBaseUrl.replace(/\/+$/, '')}/Users/me`, {
        signal: AbortSignal.timeout(10_000),
      })
      await response.body?.cancel()
      return [judgeApiResponse(apiBaseUrl, response)]
    } catch {
      return [failed(`${apiBaseUrl} does not answer.`, 'Check API_BASE_URL, and that its server is running.')]
    }
  },
})
