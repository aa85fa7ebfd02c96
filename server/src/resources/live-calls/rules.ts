import { badRequest } from '../../http/problem'

type Body = Record<string, unknown>

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isNonEmptyString = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** For each type of call target, the field that contains its address. */
const targetFields = new Map(Object.entries({ phone: 'number', teams: 'number', user: 'name', sip: 'sipUri' }))

const checkTarget = ({ to }: Body): void => {
  const targetField = isObject(to) && typeof to.type === 'string' ? targetFields.get(to.type) : undefined
  if (!targetField || !isObject(to) || !isNonEmptyString(to[targetField]))
    throw badRequest(`missing or invalid to property: ${JSON.stringify(to)}`, 'to')
}

/** The SID of the called application: a call to the user `app-<application_sid>` reaches an application, not a device. */
export const findCalledApplicationSid = ({ to }: Body): string | undefined => {
  if (!isObject(to) || to.type !== 'user' || typeof to.name !== 'string') return undefined
  return /^\s*app-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f-])/i.exec(to.name)?.[1]
}

const callWebhookFields = ['call_hook', 'call_status_hook'] as const

const checkWebhook = (body: Body, name: (typeof callWebhookFields)[number]): void => {
  const hook = body[name]
  if (hook === undefined || hook === null) return
  const url = isObject(hook) ? hook.url : hook
  if (!isNonEmptyString(url)) throw badRequest(`${name} must be string or an object containing a url property`, name)
  if (!/^(https?|wss?):\/\//.test(url)) throw badRequest(`${name} url be an absolute url`, name)
}

/** Checks the webhooks of a body, except those that the settings of an application replaced in the merged body. */
export const checkCallWebhooks = (body: Body, mergedBody: Body = body): void => {
  for (const name of callWebhookFields) if (mergedBody[name] === body[name]) checkWebhook(body, name)
}

/** The speech settings that a call without an application requires. */
const speechFields = [
  'speech_synthesis_vendor',
  'speech_synthesis_language',
  'speech_synthesis_voice',
  'speech_recognizer_vendor',
  'speech_recognizer_language',
]

/** Checks the body of a new call before its application is looked up. */
export const checkCallBody = (body: Body): void => {
  if (!isNonEmptyString(body.from)) throw badRequest('missing from parameter', 'from')
  checkTarget(body)
  // Feature servers may read a SID from a value that is not a string, so other types are refused.
  const { application_sid = null } = body
  if (application_sid !== null && typeof application_sid !== 'string')
    throw badRequest(`application_sid not found ${JSON.stringify(application_sid)}`, 'application_sid')
  if (isNonEmptyString(body.application_sid)) return
  if (!speechFields.every((name) => isNonEmptyString(body[name])))
    throw badRequest(`either application_sid or set of ${speechFields.join(', ')} required`)
  if (!body.call_hook) throw badRequest('either call_hook or application_sid required', 'call_hook')
  checkCallWebhooks(body)
}

/** Fields of an application that override those of the body. */
const applicationFields = /^(call_hook|call_status_hook|app_json|(fallback_)?speech_.+|use_for_fallback_speech)$/

/** Returns the body with the settings of the application. */
export const mergeApplicationSettings = (body: Body, application: object): Body => ({
  ...body,
  ...Object.fromEntries(
    Object.entries(application).filter(
      ([name, value]) => applicationFields.test(name) && value !== null && value !== '',
    ),
  ),
})

export const checkMessageBody = (body: Body): void => {
  for (const name of ['from', 'to'])
    if (!isNonEmptyString(body[name])) throw badRequest(`missing ${name} property`, name)
  if (!body.text && !body.media) throw badRequest('either text or media required in outbound message', 'text')
}

type ValueCheck = (value: unknown) => boolean

const isOneOf =
  (...values: string[]): ValueCheck =>
  (value) =>
    typeof value === 'string' && values.includes(value)
const acceptAny: ValueCheck = () => true
const hasTextFields =
  (...names: string[]): ValueCheck =>
  (value) =>
    isObject(value) && names.every((name) => isNonEmptyString(value[name]))

const isParticipantAction = isOneOf('tag', 'untag', 'coach', 'uncoach', 'mute', 'unmute', 'hold', 'unhold')

/** For each command to a call in progress, the check of its value. A request contains one command. */
const commandChecks: Record<string, ValueCheck> = {
  call_hook: acceptAny,
  child_call_hook: acceptAny,
  call_status: isOneOf('completed', 'no-answer'),
  listen_status: isOneOf('pause', 'silence', 'resume'),
  transcribe_status: isOneOf('pause', 'resume'),
  conf_hold_status: isOneOf('hold', 'unhold'),
  conf_mute_status: isOneOf('mute', 'unmute'),
  mute_status: isOneOf('mute', 'unmute'),
  sip_request: hasTextFields('method'),
  record: hasTextFields('action'),
  tag: isObject,
  dtmf: hasTextFields('digit'),
  conferenceParticipantAction: (value) => isObject(value) && isParticipantAction(value.action),
  dub: acceptAny,
  boostAudioSignal: acceptAny,
  media_path: isOneOf('no-media', 'partial-media', 'full-media'),
}

const isPresent = (value: unknown) => value !== undefined && value !== null

/** Checks a command to a call. Both call hooks together count as one command; `whisper` may accompany any command. */
export const checkCommand = (body: Body): void => {
  const commandNames = Object.keys(commandChecks).filter((name) => isPresent(body[name]))
  const exclusiveNames = commandNames.includes('call_hook')
    ? commandNames.filter((name) => name !== 'child_call_hook')
    : commandNames
  if (exclusiveNames.length === 0 && !isPresent(body.whisper))
    throw badRequest('no valid options supplied to updateCall')
  if (exclusiveNames.length > 1) throw badRequest('multiple options are not allowed in updateCall')
  const invalidCommand = commandNames.find((name) => !commandChecks[name]!(body[name]))
  if (invalidCommand) throw badRequest(`invalid ${invalidCommand}`, invalidCommand)
}
