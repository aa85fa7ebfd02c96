import type { TelemetryTarget } from '../config/telemetry'
import { errorTextOf } from '../db/explain-error'
import { failed, passed, type Check, type Finding } from './checks'

const timeoutMs = 10_000
const setting = 'OTEL_EXPORTER_OTLP_ENDPOINT'

const judgeStatus = (status: number): Finding => {
  if (status >= 200 && status < 300) return passed('The OpenTelemetry collector accepts spans.')
  const summary = `The OpenTelemetry collector refuses spans (status ${status}).`
  if (status === 401 || status === 403)
    return failed(summary, 'Set its credential in OTEL_EXPORTER_OTLP_HEADERS, as in Authorization=Bearer%20TOKEN.')
  if (status >= 500) return failed(summary, 'Look at the log of the collector.')
  return failed(summary, `Check the path in ${setting}, and that the collector receives traces with OTLP over HTTP.`)
}

/** Unlike the exporter, `fetch` refuses URLs with credentials. */
const separateCredentials = (url: string): { target: URL; headers: Record<string, string> } => {
  const target = new URL(url)
  const { username, password } = target
  if (!username && !password) return { target, headers: {} }
  target.username = target.password = ''
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { target, headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } }
}

/** Sends a request without spans, as an exporter does. */
export const createCollectorCheck = ({ url, headers }: Pick<TelemetryTarget, 'url' | 'headers'>): Check => ({
  name: 'OpenTelemetry collector',
  run: async () => {
    const { target, headers: credentialHeaders } = separateCredentials(url)
    try {
      const response = await fetch(target, {
        method: 'POST',
        headers: { ...credentialHeaders, ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [] }),
        signal: AbortSignal.timeout(timeoutMs),
      })
      await response.body?.cancel()
      return [judgeStatus(response.status)]
    } catch (error) {
      const cause = errorTextOf(error instanceof Error && error.cause instanceof Error ? error.cause : error)
      return [
        failed(
          `The OpenTelemetry collector ${target.origin} does not answer (${cause}). Spans of this server are lost.`,
          `Check ${setting}, and that the collector is running. Use its port for HTTP, usually 4318, not the one for gRPC.`,
        ),
      ]
    }
  },
})
