import type { Settings } from './settings'

/** The OpenTelemetry collector that receives spans of this server, and which spans. */
export interface TelemetryTarget {
  url: string
  headers: Record<string, string>
  resourceAttributes: Record<string, string>
  sampler: { name: Settings['OTEL_TRACES_SAMPLER']; ratio: number }
  timeoutMs: number
  /** The services of the installation that get the IDs of our traces with requests. */
  tracedUrls: string[]
}

/** As the OpenTelemetry specification defines it: the URL for spans is used as it is, the common one gets a path. */
const readUrl = (settings: Settings): string | undefined => {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesUrl, OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl } = settings
  return tracesUrl ?? (baseUrl ? `${baseUrl.replace(/\/+$/, '')}/v1/traces` : undefined)
}

/**
 * Returns where to send spans of this server, or nothing. The URL of InfluxDB can come from a variable of the platform, so it is
 * not read from the settings.
 */
export const optionalTelemetry = (
  settings: Settings,
  influxUrl: string | undefined,
): { telemetry?: TelemetryTarget } => {
  const url = readUrl(settings)
  if (!url || settings.OTEL_SDK_DISABLED) return {}
  const { OTEL_RESOURCE_ATTRIBUTES: attributes, OTEL_SERVICE_NAME: serviceName } = settings
  return {
    telemetry: {
      url,
      headers: { ...settings.OTEL_EXPORTER_OTLP_HEADERS, ...settings.OTEL_EXPORTER_OTLP_TRACES_HEADERS },
      resourceAttributes: {
        'service.name': 'trunkline',
        ...attributes,
        ...(serviceName ? { 'service.name': serviceName } : {}),
      },
      sampler: { name: settings.OTEL_TRACES_SAMPLER, ratio: settings.OTEL_TRACES_SAMPLER_ARG },
      timeoutMs: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
      tracedUrls: [influxUrl, settings.CLICKHOUSE_URL, settings.JAEGER_URL, settings.HOMER_BASE_URL].filter(
        (serviceUrl) => serviceUrl !== undefined,
      ),
    },
  }
}

/** A collector accepts gRPC on another port, so the setting matters to operators. */
export const warnAboutTelemetryProtocol = (settings: Settings): string[] =>
  settings.OTEL_EXPORTER_OTLP_PROTOCOL === 'grpc' && readUrl(settings) && !settings.OTEL_SDK_DISABLED
    ? [
        'OTEL_EXPORTER_OTLP_PROTOCOL is grpc, but spans are sent as JSON over HTTP. Use the HTTP port of the collector, usually 4318.',
      ]
    : []
