import type { IncomingMessage } from 'node:http'
import { envSchema } from '@trunkline/contract/shapes/app-env'
import type { AppEnv, AppEnvResult } from '../../ports/app-env'
import { permits, RefusedTarget } from '../net/allowed-targets'
import { guardedRequests, readBody } from '../net/guarded-request'

const bodyLimit = 100 * 1024

const none: AppEnvResult = { kind: 'none' }

export interface AppEnvOptions {
  /** Webhooks in networks of one's own may be asked too. */
  privateTargets: boolean
  /** Milliseconds for the whole of it. */
  timeout?: number
}

/** What a webhook answered. A redirection is not followed: it is no answer. */
const read = async (response: IncomingMessage): Promise<AppEnvResult> => {
  const { statusCode = 0, headers } = response
  if (statusCode < 200 || statusCode > 299 || !/\bjson\b/.test(headers['content-type'] ?? '')) return none
  const { bytes, isComplete } = await readBody(response, bodyLimit)
  if (!isComplete) return none
  const parsed = envSchema.safeParse(JSON.parse(bytes.toString()))
  return parsed.success ? { kind: 'schema', schema: parsed.data } : { kind: 'malformed' }
}

/** Asks webhooks with an OPTIONS request that reaches permitted addresses only. */
export const appEnvByOptions = ({ privateTargets, timeout = 5000 }: AppEnvOptions): AppEnv => {
  const send = guardedRequests(permits(privateTargets))
  return async (url) => {
    const options = { method: 'OPTIONS', headers: { accept: 'application/json' }, signal: AbortSignal.timeout(timeout) }
    return send(new URL(url.replace(/^ws/i, 'http')), options, read).catch((error: unknown) =>
      error instanceof RefusedTarget ? { kind: 'refused' } : none,
    )
  }
}
