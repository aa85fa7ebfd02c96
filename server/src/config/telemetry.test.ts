import { describe, expect, it } from 'vitest'
import { readConfig } from './config'

const configWith = (environment: Record<string, string>) =>
  readConfig({ API_BASE_URL: 'https://api.example.com/v1', ...environment })

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }

describe('the telemetry', () => {
  it('is off without a collector, or if it is disabled', () => {
    expect(configWith({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' })).not.toHaveProperty('telemetry')
    expect(configWith({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).not.toHaveProperty('telemetry')
  })

  it('has the defaults of OpenTelemetry', () => {
    expect(configWith(endpoint).telemetry).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      resourceAttributes: { 'service.name': 'trunkline' },
      sampler: { name: 'parentbased_always_on', ratio: 1 },
      timeoutMs: 10_000,
      tracedUrls: [],
    })
  })

  it('names the services of the settings, which get the IDs of traces', () => {
    const services = {
      CLICKHOUSE_URL: 'http://a:b@clickhouse:8123/calls',
      JAEGER_URL: 'http://jaeger:16686',
      HOMER_BASE_URL: 'http://homer:9080',
    }
    const environment = { ...endpoint, ...services, HOMER_USERNAME: 'u', HOMER_PASSWORD: 'p' }
    expect(configWith(environment).telemetry?.tracedUrls).toEqual(Object.values(services))
    const platform = { ...endpoint, JAMBONES_TIME_SERIES_HOST: 'influx' }
    expect(configWith(platform).telemetry?.tracedUrls).toEqual(['http://influx:8086'])
  })

  it('uses the URL for traces as it is', () => {
    const OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = 'https://collector/custom'
    expect(configWith({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT }).telemetry?.url).toBe(
      'https://collector/custom',
    )
  })

  it('reads headers and attributes with percent-encoded values', () => {
    const { telemetry } = configWith({
      ...endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20dTpw=, x-tenant = a%2Cb,',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=c',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=from-attributes,deployment.environment.name=m%C3%BCnchen',
    })
    expect(telemetry?.headers).toEqual({ Authorization: 'Basic dTpw=', 'x-tenant': 'c' })
    expect(telemetry?.resourceAttributes).toEqual({
      'service.name': 'from-attributes',
      'deployment.environment.name': 'münchen',
    })
  })

  it('prefers OTEL_SERVICE_NAME to the attribute', () => {
    const settings = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=a', OTEL_SERVICE_NAME: 'b' }
    expect(configWith({ ...endpoint, ...settings }).telemetry?.resourceAttributes).toEqual({ 'service.name': 'b' })
  })

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317', 'must be an http or https URL.'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'topsecret', 'must be a comma-separated list of name=value with percent-encoded'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=topsecret%0Ab', 'must be a comma-separated list of name=value'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=topsecret%', 'must be a comma-separated list of name=value'],
    ['OTEL_TRACES_SAMPLER', 'sometimes', 'must be one of always_on, always_off, '],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'must be a number from 0 to 1.'],
    ['OTEL_TRACES_SAMPLER_ARG', 'x', 'must be a number from 0 to 1.'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s', 'must be a whole number.'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'udp', 'must be one of http/protobuf, http/json, grpc.'],
    ['OTEL_SDK_DISABLED', 'maybe', 'must be true or false.'],
  ])('refuses %s=%s without repeating it', (name, value, message) => {
    const read = () => configWith({ ...endpoint, [name]: value })
    expect(read).toThrow(`${name} ${message}`)
    expect(read).not.toThrow('topsecret')
  })

  it('warns that gRPC is not used', () => {
    const OTEL_EXPORTER_OTLP_PROTOCOL = 'grpc'
    expect(configWith({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL }).warnings).toEqual([
      expect.stringMatching(/^OTEL_EXPORTER_OTLP_PROTOCOL is grpc, but spans are sent as JSON over HTTP\./),
    ])
    expect(configWith({ OTEL_EXPORTER_OTLP_PROTOCOL }).warnings).toEqual([])
  })
})
