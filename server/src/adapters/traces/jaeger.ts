import type { ResourceSpans } from '@trunkline/contract/calls/spans-wire'
import type { Traces } from '../../ports/traces'
import { Unavailable } from '../../ports/unavailable'
import { wholeBody } from '../net/response-body'

/** Milliseconds. */
const patience = 15_000

const nobody = { service_provider_sid: null, account_sid: null }

const unreadable = () => new Unavailable('The tracing server gives no answer that can be read.')

type Values = Record<string, unknown>

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Nothing, or a list in which each is as it should be. */
const isList = (value: unknown, each: (one: Values) => boolean): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.every((one) => isObject(one) && each(one)))

const hasAttributes = ({ attributes }: Values): boolean =>
  isList(attributes, ({ key, value }) => typeof key === 'string' && (value === undefined || isObject(value)))

const isGroup = ({ spans }: Values): boolean => isList(spans, hasAttributes)

/** As far as we look into it ourselves. */
const isReadable = (resource: unknown): resource is ResourceSpans =>
  isObject(resource) &&
  isList([resource.resource ?? {}], hasAttributes) &&
  isList(resource.scopeSpans, isGroup) &&
  isList(resource.instrumentationLibrarySpans, isGroup)

/** The lines of a stream of answers, or the one answer there is: a long trace comes in several pieces. */
const answersIn = (text: string): unknown[] => {
  try {
    return [JSON.parse(text)]
  } catch {
    return text.split('\n').flatMap((line) => {
      try {
        return line.trim() === '' ? [] : [JSON.parse(line) as unknown]
      } catch {
        throw unreadable()
      }
    })
  }
}

const spansIn = (answer: unknown): ResourceSpans[] => {
  const { result } = (answer ?? {}) as { result?: { resourceSpans?: unknown } }
  if (!Array.isArray(result?.resourceSpans)) return []
  if (!result.resourceSpans.every(isReadable)) throw unreadable()
  return result.resourceSpans
}

/** Traces in a Jaeger, asked through the third version of its query service. The platform's voice servers write there. */
export const jaegerTraces = (url: string): Traces => {
  const ask = async (traceId: string): Promise<Response> => {
    try {
      return await fetch(`${url}/api/v3/traces/${traceId}`, {
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(patience),
      })
    } catch {
      throw new Unavailable('The tracing server does not answer. Try again later.')
    }
  }
  return {
    async find(traceId) {
      const response = await ask(traceId)
      const text = (await wholeBody(response, 'The tracing server')).toString()
      if (!response.ok) {
        // Some versions say with 500 that there is none.
        if (response.status < 500 || response.status === 501 || /not found/i.test(text)) return []
        throw new Unavailable('The tracing server failed. Try again later.')
      }
      const spans = answersIn(text).flatMap(spansIn)
      return spans.length > 0 ? [{ writer: nobody, spans }] : []
    },
  }
}
