import type { IncomingMessage } from 'node:http'
import type { WebhookClient, WebhookFailure } from '../../ports/webhook-client'
import { guardedRequests, readBody } from '../net/guarded-request'
import { allowedAddresses } from '../net/allowed-targets'

const failures: Record<string, WebhookFailure> = {
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

const failureOf = (error: unknown): WebhookFailure => {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code.startsWith('HPE_')) return 'notHttp'
  if (code.startsWith('ERR_SSL_')) return 'tls'
  return failures[code] ?? 'other'
}

const maxBodyBytes = 100 * 1024

const read = async (response: IncomingMessage) => {
  const { statusCode = 0, headers } = response
  const { bytes, isComplete } = await readBody(response, maxBodyBytes)
  return { status: statusCode, contentType: headers['content-type'] ?? null, body: bytes, isComplete }
}

interface Options {
  /** Webhooks in private networks are called too. */
  privateTargets: boolean
  /** For the whole exchange. */
  timeoutMs?: number
}

/** Calls webhooks, at permitted addresses only. */
export const webhookClient = ({ privateTargets, timeoutMs = 5000 }: Options): WebhookClient => {
  const send = guardedRequests(allowedAddresses(privateTargets))
  return {
    timeoutMs,
    maxBodyBytes,
    async send({ url, ...options }) {
      const startedAt = performance.now()
      const signal = AbortSignal.timeout(timeoutMs)
      const durationMs = () => Math.round(performance.now() - startedAt)
      try {
        const response = await send(new URL(url), { ...options, signal }, read)
        return { kind: 'response', ...response, durationMs: durationMs() }
      } catch (error) {
        return { kind: 'failure', failure: signal.aborted ? 'timeout' : failureOf(error), durationMs: durationMs() }
      }
    },
  }
}
