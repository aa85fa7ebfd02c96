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
const caller = '12125550100'
const called = '12125550199'
const trunkAddress = '192.0.2.10'

const tenant = ({ account_sid, application_sid, owner }: Application): Payload => ({
  account_sid,
  application_sid,
  service_provider_sid: owner.service_provider_sid,
})

const callFacts = (application: Application): Payload => ({
  call_sid: randomUUID(),
  direction: 'inbound',
  from: caller,
  to: called,
  call_id: randomUUID(),
  ...tenant(application),
  trace_id: randomBytes(16).toString('hex'),
  originating_sip_ip: trunkAddress,
  originating_sip_trunk_name: 'Webhook test',
})

const invite = ({ call_id }: Payload) => ({
  headers: {
    from: `<sip:${caller}@${trunkAddress}>;tag=test`,
    to: `<sip:${called}@${trunkAddress}>`,
    'call-id': call_id,
    cseq: '1 INVITE',
  },
  body: '',
  method: 'INVITE',
  uri: `sip:${called}@${trunkAddress}`,
  callingNumber: caller,
  calledNumber: called,
  type: 'request',
  source: 'network',
  source_address: trunkAddress,
  source_port: '5060',
  protocol: 'udp',
})

const newCall = (application: Application): Payload => {
  const facts = callFacts(application)
  return {
    ...facts,
    sip_status: 100,
    sip_reason: 'Trying',
    call_status: 'trying',
    sip: invite(facts),
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

const endedCall = (application: Application): Payload => ({
  ...callFacts(application),
  sip_status: 200,
  sip_reason: 'OK',
  call_status: 'completed',
  call_termination_by: 'caller',
  duration: 12,
})

const textMessage = (application: Application): Payload => ({
  message_sid: randomUUID(),
  ...tenant(application),
  carrier: 'Webhook test',
  from: caller,
  to: called,
  text: 'This is a webhook test.',
})

const payloads: Record<HookName, (application: Application) => Payload> = {
  call_hook: newCall,
  call_status_hook: endedCall,
  messaging_hook: textMessage,
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
  const sent = method === 'GET' ? Object.fromEntries(values) : payload
  const body = JSON.stringify(sent)
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
