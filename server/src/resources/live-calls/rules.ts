import { badRequest } from '../../http/problem'

type Body = Record<string, unknown>

export const isObject = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The kinds of call target, and the field that holds the address of each. */
const targetFields = new Map(Object.entries({ phone: 'number', teams: 'number', user: 'name', sip: 'sipUri' }))

const checkTo = ({ to }: Body): void => {
  const targetField = isObject(to) && typeof to.type === 'string' ? targetFields.get(to.type) : undefined
  if (!targetField || !isObject(to) || !isText(to[targetField]))
    throw badRequest(`missing or invalid to property: ${JSON.stringify(to)}`, 'to')
}

/**
 * The application of a call to a user named `app-<application_sid>`, which reaches an application instead of a device.
 */
export const calledApplicationSid = ({ to }: Body): string | undefined => {
  if (!isObject(to) || to.type !== 'user' || typeof to.name !== 'string') return undefined
  return /^\s*app-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f-])/i.exec(to.name)?.[1]
}

const checkHook = (body: Body, name: 'call_hook' | 'call_status_hook'): void => {
  const hook = body[name]
  if (hook === undefined || hook === null) return
  const url = isObject(hook) ? hook.url : hook
  if (!isText(url)) throw badRequest(`${name} must be string or an object containing a url property`, name)
  if (!/^(https?|wss?):\/\//.test(url)) throw badRequest(`${name} url be an absolute url`, name)
}

/** Required for a call without application. */
const speechFields = [
  'speech_synthesis_vendor',
  'speech_synthesis_language',
  'speech_synthesis_voice',
  'speech_recognizer_vendor',
  'speech_recognizer_language',
]

/** Checks the body of a new call, before its application is read. */
export const checkCallBody = (body: Body): void => {
  if (!isText(body.from)) throw badRequest('missing from parameter', 'from')
  checkTo(body)
  // Call servers may read a SID from a value that is not a string, so other types are refused.
  const { application_sid = null } = body
  if (application_sid !== null && typeof application_sid !== 'string')
    throw badRequest(`application_sid not found ${JSON.stringify(application_sid)}`, 'application_sid')
  if (isText(body.application_sid)) return
  if (!speechFields.every((name) => isText(body[name])))
    throw badRequest(`either application_sid or set of ${speechFields.join(', ')} required`)
  if (!body.call_hook) throw badRequest('either call_hook or application_sid required', 'call_hook')
  checkHook(body, 'call_hook')
  checkHook(body, 'call_status_hook')
}

/** Fields of an application that override those of the body. */
const applicationFields = /^(call_hook|call_status_hook|app_json|(fallback_)?speech_.+|use_for_fallback_speech)$/

export const withApplication = (body: Body, application: object): Body => ({
  ...body,
  ...Object.fromEntries(
    Object.entries(application).filter(
      ([name, value]) => applicationFields.test(name) && value !== null && value !== '',
    ),
  ),
})

export const checkMessageBody = (body: Body): void => {
  for (const name of ['from', 'to']) if (!isText(body[name])) throw badRequest(`missing ${name} property`, name)
  if (!body.text && !body.media) throw badRequest('either text or media required in outbound message', 'text')
}

type Rule = (value: unknown) => boolean

const oneOf =
  (...values: string[]): Rule =>
  (value) =>
    typeof value === 'string' && values.includes(value)
const anyValue: Rule = () => true
const withTextFields =
  (...names: string[]): Rule =>
  (value) =>
    isObject(value) && names.every((targetField) => typeof value[targetField] === 'string' && value[targetField] !== '')

const participantAction = oneOf('tag', 'untag', 'coach', 'uncoach', 'mute', 'unmute', 'hold', 'unhold')

/** The commands for a call in progress, of which a request may contain one, and the rule for each value. */
const commands: Record<string, Rule> = {
  call_hook: anyValue,
  child_call_hook: anyValue,
  call_status: oneOf('completed', 'no-answer'),
  listen_status: oneOf('pause', 'silence', 'resume'),
  transcribe_status: oneOf('pause', 'resume'),
  conf_hold_status: oneOf('hold', 'unhold'),
  conf_mute_status: oneOf('mute', 'unmute'),
  mute_status: oneOf('mute', 'unmute'),
  sip_request: withTextFields('method'),
  record: withTextFields('action'),
  tag: isObject,
  dtmf: withTextFields('digit'),
  conferenceParticipantAction: (value) => isObject(value) && participantAction(value.action),
  dub: anyValue,
  boostAudioSignal: anyValue,
  media_path: oneOf('no-media', 'partial-media', 'full-media'),
}

const isPresent = (value: unknown) => value !== undefined && value !== null

/** Checks a command for a call. Both call hooks count as one command, and `whisper` may accompany any. */
export const checkCommand = (body: Body): void => {
  const commandNames = Object.keys(commands).filter((name) => isPresent(body[name]))
  const exclusiveNames = commandNames.includes('call_hook')
    ? commandNames.filter((name) => name !== 'child_call_hook')
    : commandNames
  if (exclusiveNames.length === 0 && !isPresent(body.whisper))
    throw badRequest('no valid options supplied to updateCall')
  if (exclusiveNames.length > 1) throw badRequest('multiple options are not allowed in updateCall')
  const invalidCommand = commandNames.find((name) => !commands[name]!(body[name]))
  if (invalidCommand) throw badRequest(`invalid ${invalidCommand}`, invalidCommand)
}
