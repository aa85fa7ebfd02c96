import type { ResourceSpans } from '@trunkline/contract/calls/otlp-trace'
import type { Traces } from '../../ports/traces'
import { UnavailableError } from '../../ports/service-errors'
import { readResponseBody } from '../net/response-body'

const timeoutMs = 15_000

/** The writer of all traces in Jaeger: the platform itself. */
const platformWriter = { service_provider_sid: null, account_sid: null }

const createUnreadableResponseError = () => new UnavailableError('The tracing server returned an unreadable response.')

type Values = Record<string, unknown>

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Is the value undefined, null, or a list of valid objects? */
const isOptionalList = (value: unknown, isValid: (item: Values) => boolean): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.every((item) => isObject(item) && isValid(item)))

const hasValidAttributes = ({ attributes }: Values): boolean =>
  isOptionalList(attributes, ({ key, value }) => typeof key === 'string' && (value === undefined || isObject(value)))

const isSpanGroup = ({ spans }: Values): boolean => isOptionalList(spans, hasValidAttributes)

/** Do the fields that this server uses have the documented types? */
const isReadable = (resource: unknown): resource is ResourceSpans =>
  isObject(resource) &&
  isOptionalList([resource.resource ?? {}], hasValidAttributes) &&
  isOptionalList(resource.scopeSpans, isSpanGroup) &&
  isOptionalList(resource.instrumentationLibrarySpans, isSpanGroup)

/** Parses a body: one JSON object, or one per line, because Jaeger splits long traces. */
const parseResponses = (text: string): unknown[] => {
  try {
    return [JSON.parse(text)]
  } catch {
    return text.split('\n').flatMap((line) => {
      try {
        return line.trim() === '' ? [] : [JSON.parse(line) as unknown]
      } catch {
        throw createUnreadableResponseError()
      }
    })
  }
}

const extractResourceSpans = (response: unknown): ResourceSpans[] => {
  const { result } = (response ?? {}) as { result?: { resourceSpans?: unknown } }
  if (!Array.isArray(result?.resourceSpans)) return []
  if (!result.resourceSpans.every(isReadable)) throw createUnreadableResponseError()
  return result.resourceSpans
}

/** Creates a reader of traces in a Jaeger, through version 3 of its query API. The platform's voice servers write them. */
export const createJaegerTraces = (url: string): Traces => {
  const request = async (traceId: string): Promise<Response> => {
    try {
      return await fetch(`${url}/api/v3/traces/${traceId}`, {
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch {
      throw new UnavailableError('The tracing server does not respond. Try again later.')
    }
  }
  return {
    async findParts(traceId) {
      const response = await request(traceId)
      const text = (await readResponseBody(response, 'The tracing server')).toString()
      if (!response.ok) {
        // Some versions respond with 500 to unknown traces.
        if (response.status < 500 || response.status === 501 || /not found/i.test(text)) return []
        throw new UnavailableError('The tracing server failed. Try again later.')
      }
      const spans = parseResponses(text).flatMap(extractResourceSpans)
      return spans.length > 0 ? [{ writer: platformWriter, spans }] : []
    },
  }
}
