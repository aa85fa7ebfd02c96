import type { IncomingMessage } from 'node:http'
import { envSchema } from '@trunkline/contract/shapes/app-env'
import type { FetchAppEnvSchema, AppEnvSchemaResult } from '../../ports/app-env'
import { createAddressCheck, RefusedTargetError } from '../net/allowed-targets'
import { createGuardedSender, readBody } from '../net/guarded-request'

const maxBodyBytes = 100 * 1024

const noSchemaResult: AppEnvSchemaResult = { kind: 'none' }

export interface AppEnvOptions {
  /** Whether webhooks may be in private networks. */
  allowPrivateTargets: boolean
  /** Timeout of a request. */
  timeoutMs?: number
}

/** Parses the response of a webhook. A redirect counts as a response without a schema. */
const parseResponse = async (response: IncomingMessage): Promise<AppEnvSchemaResult> => {
  const { statusCode = 0, headers } = response
  if (statusCode < 200 || statusCode > 299 || !/\bjson\b/.test(headers['content-type'] ?? '')) return noSchemaResult
  const { bytes, isComplete } = await readBody(response, maxBodyBytes)
  if (!isComplete) return noSchemaResult
  const parsed = envSchema.safeParse(JSON.parse(bytes.toString()))
  return parsed.success ? { kind: 'schema', schema: parsed.data } : { kind: 'malformed' }
}

/** Requests the variables of a webhook with OPTIONS. Only allowed addresses are contacted. */
export const createAppEnvFetcher = ({ allowPrivateTargets, timeoutMs = 5000 }: AppEnvOptions): FetchAppEnvSchema => {
  const send = createGuardedSender(createAddressCheck(allowPrivateTargets))
  return async (url) => {
    const options = {
      method: 'OPTIONS',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
    }
    return send(new URL(url.replace(/^ws/i, 'http')), options, parseResponse).catch((error: unknown) =>
      error instanceof RefusedTargetError ? { kind: 'refused' } : noSchemaResult,
    )
  }
}
