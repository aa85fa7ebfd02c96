import type { IncomingMessage } from 'node:http'
import type { WebhookClient, WebhookFailure } from '../../ports/webhook-client'
import { createGuardedSender, readBody } from '../net/guarded-request'
import { createAddressCheck } from '../net/allowed-targets'

/** The failure that each error code of Node means. */
const failureByCode: Record<string, WebhookFailure> = {
  REFUSED_TARGET: 'forbidden',
  ENOTFOUND: 'name',
  EAI_AGAIN: 'name',
  EAI_NODATA: 'name',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
  CERT_HAS_EXPIRED: 'expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'otherName',
  EPROTO: 'tls',
}

const toFailure = (error: unknown): WebhookFailure => {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code.startsWith('HPE_')) return 'notHttp'
  if (code.startsWith('ERR_SSL_')) return 'tls'
  return failureByCode[code] ?? 'other'
}

const maxBodyBytes = 100 * 1024

const readResponse = async (response: IncomingMessage) => {
  const { statusCode = 0, headers } = response
  const { bytes, isComplete } = await readBody(response, maxBodyBytes)
  return { status: statusCode, contentType: headers['content-type'] ?? null, body: bytes, isComplete }
}

interface WebhookClientOptions {
  /** Whether webhooks may be in private networks. */
  allowPrivateTargets: boolean
  /** Timeout of a request including its response. */
  timeoutMs?: number
}

/** Creates a client that sends requests to webhooks at allowed addresses. */
export const createWebhookClient = ({ allowPrivateTargets, timeoutMs = 5000 }: WebhookClientOptions): WebhookClient => {
  const send = createGuardedSender(createAddressCheck(allowPrivateTargets))
  return {
    timeoutMs,
    maxBodyBytes,
    async send({ url, ...options }) {
      const startedAt = performance.now()
      const signal = AbortSignal.timeout(timeoutMs)
      const durationMs = () => Math.round(performance.now() - startedAt)
      try {
        const response = await send(new URL(url), { ...options, signal }, readResponse)
        return { kind: 'response', ...response, durationMs: durationMs() }
      } catch (error) {
        return { kind: 'failure', failure: signal.aborted ? 'timeout' : toFailure(error), durationMs: durationMs() }
      }
    },
  }
}
