import { messages } from '@trunkline/contract/messages/live-call'
import { Problem } from '../../http/problem'
import type { LivePlatform } from '../../ports/live-platform'
import { UnavailableError } from '../../ports/service-errors'

/** A server responds when the call rings, not when it is answered. */
const timeoutMs = 30_000

export interface ServerResponse {
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

/** Sends a request to a server that handles calls. Throws UnavailableError if it does not respond. */
export const postToServer = async (url: string, body: object): Promise<ServerResponse> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, body: await parseBody(response) }
  } catch (error) {
    throw new UnavailableError(messages.unavailable, { cause: error })
  }
}

/** Distributes new calls and messages over the servers in turn. */
export const callServers = (livePlatform: LivePlatform) => {
  let nextIndex = 0
  return {
    /** The URL for the next call. Throws 480 if there is no server. */
    async nextUrl(): Promise<string> {
      const servers = (await livePlatform.callServers()).toSorted()
      const server = servers[nextIndex++ % (servers.length || 1)]
      if (!server) throw new Problem(480, { msg: messages.noFeatureServers })
      return `${server.replace(/\/+$/, '')}/v1/createCall`
    },
  }
}
