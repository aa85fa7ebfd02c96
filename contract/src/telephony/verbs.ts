import { messages } from '../messages/application'

/**
 * The known verbs with their required properties. They repeat the platform's published JSON schemas
 * (`@jambonz/schema`), which are too large to load with a form. A test compares the two.
 */
export const requiredProperties: Readonly<Record<string, readonly string[]>> = {
  agent: [],
  alert: ['message'],
  answer: [],
  conference: ['name'],
  config: [],
  deepgram_s2s: ['llmOptions'],
  dequeue: ['name'],
  dial: ['target'],
  dialogflow: ['project', 'credentials', 'lang'],
  dtmf: ['dtmf'],
  dub: ['action', 'track'],
  elevenlabs_s2s: ['auth'],
  enqueue: ['name'],
  gather: [],
  google_s2s: ['llmOptions'],
  gptlive_s2s: ['auth', 'llmOptions'],
  hangup: [],
  leave: [],
  listen: ['url'],
  llm: ['vendor', 'llmOptions'],
  message: ['to', 'from'],
  openai_s2s: ['llmOptions'],
  pause: ['length'],
  play: ['url'],
  qwen_s2s: ['llmOptions'],
  redirect: ['actionHook'],
  'rest:dial': ['call_hook', 'from', 'to'],
  room: ['name'],
  s2s: ['vendor', 'llmOptions'],
  say: [],
  'sip:decline': ['status'],
  'sip:refer': ['referTo'],
  'sip:request': ['method'],
  stream: ['url'],
  tag: ['data'],
  transcribe: [],
  transfer: [],
  ultravox_s2s: ['llmOptions'],
}

/** Verbs of older voice servers that the published schemas no longer describe. */
const legacyVerbs: ReadonlySet<string> = new Set(['lex', 'pipeline', 'rasa', 'record'])

/** An error in app JSON: it is not JSON or not a list, or an entry has no verb or lacks required properties. */
export type AppJsonError =
  | { kind: 'malformed'; reason: string }
  | { kind: 'no_list' }
  | { kind: 'no_verb'; verb: unknown }
  | { kind: 'missing'; verb: string; properties: string[] }

type VerbEntry = Record<string, unknown>

const isObject = (value: unknown): value is VerbEntry => value !== null && typeof value === 'object'

const getRequiredProperties = (verb: string): readonly string[] =>
  Object.hasOwn(requiredProperties, verb) ? requiredProperties[verb]! : []

const findEntryError = (step: unknown): AppJsonError | undefined => {
  const verb = isObject(step) ? step.verb : undefined
  if (!isObject(step) || typeof verb !== 'string' || verb === '') return { kind: 'no_verb', verb }
  const properties = getRequiredProperties(verb).filter((name) => step[name] === undefined || step[name] === null)
  return properties.length > 0 ? { kind: 'missing', verb, properties } : undefined
}

/**
 * The first error in app JSON; undefined if it is valid. Unknown verbs and properties are valid, because voice servers
 * may be newer than this list.
 */
export const findAppJsonError = (text: string): AppJsonError | undefined => {
  let steps: unknown
  try {
    steps = JSON.parse(text)
  } catch (error) {
    return { kind: 'malformed', reason: (error as Error).message }
  }
  if (!Array.isArray(steps)) return { kind: 'no_list' }
  for (const step of steps) {
    const error = findEntryError(step)
    if (error) return error
  }
  return undefined
}

/** The first error in app JSON as a message for the user; undefined if it is valid. */
export const describeAppJsonError = (text: string): string | undefined => {
  const fault = findAppJsonError(text)
  switch (fault?.kind) {
    case undefined:
      return undefined
    case 'malformed':
      return messages.appJson.malformed(fault.reason)
    case 'no_list':
      return messages.appJson.notList
    case 'no_verb':
      return messages.appJson.missingVerb
    case 'missing':
      return messages.appJson.missingValues(fault.verb, fault.properties)
  }
}

/** The unknown verbs in app JSON, each once. Empty if the JSON has an error. */
export const findUnknownVerbs = (text: string): string[] => {
  if (findAppJsonError(text)) return []
  const verbs = (JSON.parse(text) as { verb: string }[]).map(({ verb }) => verb)
  return [...new Set(verbs)].filter((verb) => !Object.hasOwn(requiredProperties, verb) && !legacyVerbs.has(verb))
}

/** The first error in app JSON with the API's message; undefined if it is valid. */
export const findAppJsonRefusal = (text: string): string | undefined => {
  const error = findAppJsonError(text)
  switch (error?.kind) {
    case undefined:
      return undefined
    case 'malformed':
      return `app_json is not valid JSON: ${error.reason}`
    case 'no_list':
      return 'Error: malformed jambonz payload: must be array'
    case 'no_verb':
      return `Error: invalid instruction: ${String(error.verb)}`
    case 'missing':
      return `Error: ${error.verb}: missing value for ${error.properties.join(', ')}`
  }
}
