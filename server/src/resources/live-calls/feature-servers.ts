import { messages } from '@trunkline/contract/messages/live-call'
import { Problem } from '../../http/problem'
import type { LivePlatform } from '../../ports/live-platform'
import { UnavailableError } from '../../ports/service-errors'

/** A feature server responds once the call rings. It does not wait until the call is answered. */
const responseTimeoutMs = 30_000

export interface FeatureServerResponse {
  status: number
  body: unknown
}

const parseBody = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Sends a request to a feature server. Throws UnavailableError if it does not respond. */
export const postToFeatureServer = async (url: string, body: object): Promise<FeatureServerResponse> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(responseTimeoutMs),
    })
    return { status: response.status, body: await parseBody(response) }
  } catch (error) {
    throw new UnavailableError(messages.unavailable, { cause: error })
  }
}

/** Distributes new calls and messages over the feature servers in turn. */
export const createFeatureServerRotation = (livePlatform: LivePlatform) => {
  let nextIndex = 0
  return {
    /** Selects the next feature server, and returns its URL for new calls and messages. Throws 480 if there is none. */
    async takeNextUrl(): Promise<string> {
      const serverUrls = (await livePlatform.listFeatureServers()).toSorted()
      const serverUrl = serverUrls[nextIndex++ % (serverUrls.length || 1)]
      if (!serverUrl) throw new Problem(480, { msg: messages.noFeatureServers })
      return `${serverUrl.replace(/\/+$/, '')}/v1/createCall`
    },
  }
}
