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
  | { kind: 'not_list' }
  | { kind: 'missing_verb'; verb: unknown }
  | { kind: 'missing_properties'; verb: string; properties: string[] }

type VerbEntry = Record<string, unknown>

const isObject = (value: unknown): value is VerbEntry => value !== null && typeof value === 'object'

const getRequiredProperties = (verb: string): readonly string[] =>
  Object.hasOwn(requiredProperties, verb) ? requiredProperties[verb]! : []

const findEntryError = (entry: unknown): AppJsonError | undefined => {
  const verb = isObject(entry) ? entry.verb : undefined
  if (!isObject(entry) || typeof verb !== 'string' || verb === '') return { kind: 'missing_verb', verb }
  const properties = getRequiredProperties(verb).filter((name) => entry[name] === undefined || entry[name] === null)
  return properties.length > 0 ? { kind: 'missing_properties', verb, properties } : undefined
}

/**
 * The first error in app JSON; undefined if it is valid. Unknown verbs and properties are valid, because voice servers
 * may be newer than this list.
 */
export const findAppJsonError = (text: string): AppJsonError | undefined => {
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch (error) {
    return { kind: 'malformed', reason: (error as Error).message }
  }
  if (!Array.isArray(entries)) return { kind: 'not_list' }
  for (const entry of entries) {
    const error = findEntryError(entry)
    if (error) return error
  }
  return undefined
}

/** The first error in app JSON as a message for the user; undefined if it is valid. */
export const describeAppJsonError = (text: string): string | undefined => {
  const error = findAppJsonError(text)
  switch (error?.kind) {
    case undefined:
      return undefined
    case 'malformed':
      return messages.appJson.malformed(error.reason)
    case 'not_list':
      return messages.appJson.notList
    case 'missing_verb':
      return messages.appJson.missingVerb
    case 'missing_properties':
      return messages.appJson.missingValues(error.verb, error.properties)
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
    case 'not_list':
      return 'Error: malformed jambonz payload: must be array'
    case 'missing_verb':
      return `Error: invalid instruction: ${String(error.verb)}`
    case 'missing_properties':
      return `Error: ${error.verb}: missing value for ${error.properties.join(', ')}`
  }
}
