import { request as overHttp, type IncomingMessage } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP } from 'node:net'
import { envSchema } from '@trunkline/contract/shapes/app-env'
import type { AppEnv, AppEnvAnswer } from '../../ports/app-env'
import { guardedLookup, permits, RefusedTarget } from '../net/allowed-targets'

const bodyLimit = 100 * 1024

const none: AppEnvAnswer = { kind: 'none' }

export interface AppEnvOptions {
  /** Webhooks in networks of one's own may be asked too. */
  privateTargets: boolean
  /** Milliseconds for the whole of it. */
  timeout?: number
}

const textOf = async (response: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length
    if (size > bodyLimit) throw new Error('too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** What a webhook answered. A redirection is not followed: it is no answer. */
const read = async (response: IncomingMessage): Promise<AppEnvAnswer> => {
  const { statusCode = 0, headers } = response
  if (statusCode < 200 || statusCode > 299 || !/\bjson\b/.test(headers['content-type'] ?? '')) return none
  const text = await textOf(response)
  const parsed = envSchema.safeParse(JSON.parse(text))
  return parsed.success ? { kind: 'schema', schema: parsed.data } : { kind: 'malformed' }
}

/** Asks webhooks with an OPTIONS request that reaches permitted addresses only. */
export const appEnvByOptions = ({ privateTargets, timeout = 5000 }: AppEnvOptions): AppEnv => {
  const permitted = permits(privateTargets)
  const lookup = guardedLookup(permitted)

  const ask = (target: URL) =>
    new Promise<AppEnvAnswer>((resolve, reject) => {
      const send = target.protocol === 'https:' ? overHttps : overHttp
      const request = send(
        target,
        {
          method: 'OPTIONS',
          headers: { accept: 'application/json' },
          lookup,
          // A connection that something else has opened was not looked at.
          agent: false,
          signal: AbortSignal.timeout(timeout),
        },
        (response) => {
          read(response)
            .then(resolve, reject)
            .finally(() => request.destroy())
        },
      )
      request.on('error', reject)
      request.end()
    })

  return async (url) => {
    const target = new URL(url.replace(/^ws/i, 'http'))
    const host = target.hostname.replace(/^\[|\]$/g, '')
    // A host that is an address already is looked up nowhere.
    if (isIP(host) && !permitted(host)) return { kind: 'refused' }
    return ask(target).catch((error: unknown) => (error instanceof RefusedTarget ? { kind: 'refused' } : none))
  }
}
