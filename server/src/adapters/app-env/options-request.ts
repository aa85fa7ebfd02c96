import type { IncomingMessage } from 'node:http'
import { envSchema } from '@trunkline/contract/shapes/app-env'
import type { AppEnv, AppEnvResult } from '../../ports/app-env'
import { allowedAddresses, RefusedTargetError } from '../net/allowed-targets'
import { guardedRequests, readBody } from '../net/guarded-request'

const maxBodyBytes = 100 * 1024

const noSchema: AppEnvResult = { kind: 'none' }

export interface AppEnvOptions {
  /** Allows webhooks in private networks. */
  privateTargets: boolean
  /** Timeout in milliseconds. */
  timeoutMs?: number
}

/** Parses the response of a webhook. Redirects are not followed. */
const parseResponse = async (response: IncomingMessage): Promise<AppEnvResult> => {
  const { statusCode = 0, headers } = response
  if (statusCode < 200 || statusCode > 299 || !/\bjson\b/.test(headers['content-type'] ?? '')) return noSchema
  const { bytes, isComplete } = await readBody(response, maxBodyBytes)
  if (!isComplete) return noSchema
  const parsed = envSchema.safeParse(JSON.parse(bytes.toString()))
  return parsed.success ? { kind: 'schema', schema: parsed.data } : { kind: 'malformed' }
}

/** Sends an OPTIONS request to webhooks at allowed addresses. */
export const appEnvByOptions = ({ privateTargets, timeoutMs = 5000 }: AppEnvOptions): AppEnv => {
  const send = guardedRequests(allowedAddresses(privateTargets))
  return async (url) => {
    const options = {
      method: 'OPTIONS',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    }
    return send(new URL(url.replace(/^ws/i, 'http')), options, parseResponse).catch((error: unknown) =>
      error instanceof RefusedTargetError ? { kind: 'refused' } : noSchema,
    )
  }
}
