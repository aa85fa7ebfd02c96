import { badRequest } from '../../http/problem'
import { isObject } from './call-body'

type Body = Record<string, unknown>
type Rule = (value: unknown) => boolean

const oneOf =
  (...words: string[]): Rule =>
  (value) =>
    typeof value === 'string' && words.includes(value)
const anything: Rule = () => true
const withParts =
  (...parts: string[]): Rule =>
  (value) =>
    isObject(value) && parts.every((part) => typeof value[part] === 'string' && value[part] !== '')

const participantAction = oneOf('tag', 'untag', 'coach', 'uncoach', 'mute', 'unmute', 'hold', 'unhold')

/** What can be asked of a call in progress, one at a time, and what each may say. */
const options: Record<string, Rule> = {
  call_hook: anything,
  child_call_hook: anything,
  call_status: oneOf('completed', 'no-answer'),
  listen_status: oneOf('pause', 'silence', 'resume'),
  transcribe_status: oneOf('pause', 'resume'),
  conf_hold_status: oneOf('hold', 'unhold'),
  conf_mute_status: oneOf('mute', 'unmute'),
  mute_status: oneOf('mute', 'unmute'),
  sip_request: withParts('method'),
  record: withParts('action'),
  tag: isObject,
  dtmf: withParts('digit'),
  conferenceParticipantAction: (value) => isObject(value) && participantAction(value.action),
  dub: anything,
  boostAudioSignal: anything,
  media_path: oneOf('no-media', 'partial-media', 'full-media'),
}

const isSaid = (value: unknown) => value !== undefined && value !== null

/** Checks what is asked of a call. Both hooks count as one, and a whisper goes with anything. */
export const checkChange = (body: Body): void => {
  const said = Object.keys(options).filter((name) => isSaid(body[name]))
  const apart = said.includes('call_hook') ? said.filter((name) => name !== 'child_call_hook') : said
  if (apart.length === 0 && !isSaid(body.whisper)) throw badRequest('no valid options supplied to updateCall')
  if (apart.length > 1) throw badRequest('multiple options are not allowed in updateCall')
  const wrong = said.find((name) => !options[name]!(body[name]))
  if (wrong) throw badRequest(`invalid ${wrong}`, wrong)
}
