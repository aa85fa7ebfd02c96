import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { WebhookTestDraft } from '@trunkline/contract/shapes/webhook'
import { webhookTestAgent } from '@trunkline/contract/telephony/webhook-test'
import type { WithOwner } from '../../db/repository'
import type { WebhookRequest } from '../../ports/webhook-client'
import type { StoredApplication } from './repository'

type HookName = WebhookTestDraft['hook']

type Application = WithOwner<StoredApplication>
type Payload = Record<string, unknown>

/** Numbers and addresses that are reserved for examples. */
const callerNumber = '12125550100'
const calledNumber = '12125550199'
const trunkAddress = '192.0.2.10'

const ownerSids = ({ account_sid, application_sid, owner }: Application): Payload => ({
  account_sid,
  application_sid,
  service_provider_sid: owner.service_provider_sid,
})

const callPayload = (application: Application): Payload => ({
  call_sid: randomUUID(),
  direction: 'inbound',
  from: callerNumber,
  to: calledNumber,
  call_id: randomUUID(),
  ...ownerSids(application),
  trace_id: randomBytes(16).toString('hex'),
  originating_sip_ip: trunkAddress,
  originating_sip_trunk_name: 'Webhook test',
})

const invite = ({ call_id }: Payload) => ({
  headers: {
    from: `<sip:${callerNumber}@${trunkAddress}>;tag=test`,
    to: `<sip:${calledNumber}@${trunkAddress}>`,
    'call-id': call_id,
    cseq: '1 INVITE',
  },
  body: '',
  method: 'INVITE',
  uri: `sip:${calledNumber}@${trunkAddress}`,
  callingNumber: callerNumber,
  calledNumber,
  type: 'request',
  source: 'network',
  source_address: trunkAddress,
  source_port: '5060',
  protocol: 'udp',
})

const newCallPayload = (application: Application): Payload => {
  const call = callPayload(application)
  return {
    ...call,
    sip_status: 100,
    sip_reason: 'Trying',
    call_status: 'trying',
    sip: invite(call),
    defaults: {
      synthesizer: {
        vendor: application.speech_synthesis_vendor,
        language: application.speech_synthesis_language,
        voice: application.speech_synthesis_voice,
      },
      recognizer: {
        vendor: application.speech_recognizer_vendor,
        language: application.speech_recognizer_language,
      },
    },
    ...(application.env_vars ? { env_vars: application.env_vars } : {}),
  }
}

const endedCallPayload = (application: Application): Payload => ({
  ...callPayload(application),
  sip_status: 200,
  sip_reason: 'OK',
  call_status: 'completed',
  call_termination_by: 'caller',
  duration: 12,
})

const messagePayload = (application: Application): Payload => ({
  message_sid: randomUUID(),
  ...ownerSids(application),
  carrier: 'Webhook test',
  from: callerNumber,
  to: calledNumber,
  text: 'This is a webhook test.',
})

const payloads: Record<HookName, (application: Application) => Payload> = {
  call_hook: newCallPayload,
  call_status_hook: endedCallPayload,
  messaging_hook: messagePayload,
}

/** Voice servers sign what they send, so that a webhook knows who sent it. */
const signature = (secret: string, payload: string): string => {
  const timestamp = Math.floor(Date.now() / 1000)
  const digest = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex')
  return `t=${timestamp},v1=${digest}`
}

/** The credentials of a webhook as a header sends them. */
export const basicCredentials = (username: string, password: string): string =>
  Buffer.from(`${username}:${password}`).toString('base64')

/** A query has no place for objects. */
const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number'

export interface TestedHook {
  url: string
  method: 'GET' | 'POST'
  username: string | null
  password: string | null
}

/** The request of a voice server for a made-up call, ended call or message. `secret`: with which the account signs. */
export const sampleRequest = (
  name: HookName,
  { url, method, username, password }: TestedHook,
  application: Application,
  secret: string | undefined,
): WebhookRequest => {
  const payload = payloads[name](application)
  const values = method === 'GET' ? Object.entries(payload).filter(([, value]) => isScalar(value)) : []
  const content = method === 'GET' ? Object.fromEntries(values) : payload
  const body = JSON.stringify(content)
  const target = new URL(url)
  for (const [key, value] of values) target.searchParams.append(key, String(value))
  return {
    url: target.href,
    method,
    headers: {
      'user-agent': webhookTestAgent,
      accept: 'application/json',
      ...(secret ? { 'jambonz-signature': signature(secret, body) } : {}),
      ...(username && password ? { authorization: `Basic ${basicCredentials(username, password)}` } : {}),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { body } : {}),
  }
}
