import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { WebhookTestDraft } from '@trunkline/contract/shapes/webhook'
import { webhookTestAgent } from '@trunkline/contract/telephony/webhook-test'
import type { WithOwner } from '../../db/repository'
import type { WebhookRequest } from '../../ports/webhook-client'
import type { StoredApplication } from './repository'

type WebhookField = WebhookTestDraft['hook']

type Application = WithOwner<StoredApplication>
type Payload = Record<string, unknown>

// Phone numbers and an IP address that are reserved for examples.
const callerNumber = '12125550100'
const calledNumber = '12125550199'
const trunkAddress = '192.0.2.10'

const getOwnerSids = ({ account_sid, application_sid, owner }: Application): Payload => ({
  account_sid,
  application_sid,
  service_provider_sid: owner.service_provider_sid,
})

const createCallPayload = (application: Application): Payload => ({
  call_sid: randomUUID(),
  direction: 'inbound',
  from: callerNumber,
  to: calledNumber,
  call_id: randomUUID(),
  ...getOwnerSids(application),
  trace_id: randomBytes(16).toString('hex'),
  originating_sip_ip: trunkAddress,
  originating_sip_trunk_name: 'Webhook test',
})

const createSipInvite = ({ call_id }: Payload) => ({
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

const createNewCallPayload = (application: Application): Payload => {
  const call = createCallPayload(application)
  return {
    ...call,
    sip_status: 100,
    sip_reason: 'Trying',
    call_status: 'trying',
    sip: createSipInvite(call),
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

const createEndedCallPayload = (application: Application): Payload => ({
  ...createCallPayload(application),
  sip_status: 200,
  sip_reason: 'OK',
  call_status: 'completed',
  call_termination_by: 'caller',
  duration: 12,
})

const createMessagePayload = (application: Application): Payload => ({
  message_sid: randomUUID(),
  ...getOwnerSids(application),
  carrier: 'Webhook test',
  from: callerNumber,
  to: calledNumber,
  text: 'This is a webhook test.',
})

const payloadCreators: Record<WebhookField, (application: Application) => Payload> = {
  call_hook: createNewCallPayload,
  call_status_hook: createEndedCallPayload,
  messaging_hook: createMessagePayload,
}

/** Voice servers sign their requests, so that a webhook can verify the sender. */
const createSignatureHeader = (secret: string, payload: string): string => {
  const timestamp = Math.floor(Date.now() / 1000)
  const digest = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex')
  return `t=${timestamp},v1=${digest}`
}

/** The credentials of a webhook, encoded for the `Authorization` header. */
export const encodeBasicCredentials = (username: string, password: string): string =>
  Buffer.from(`${username}:${password}`).toString('base64')

/** Query parameters cannot contain objects. */
const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number'

export interface TestedWebhook {
  url: string
  method: 'GET' | 'POST'
  username: string | null
  password: string | null
}

/**
 * Builds the request that a voice server would send for a new call, an ended call or a message. Signs it if there is a
 * `signingSecret`.
 */
export const createSampleRequest = (
  field: WebhookField,
  { url, method, username, password }: TestedWebhook,
  application: Application,
  signingSecret: string | undefined,
): WebhookRequest => {
  const payload = payloadCreators[field](application)
  const queryParameters = method === 'GET' ? Object.entries(payload).filter(([, value]) => isScalar(value)) : []
  const signedPayload = method === 'GET' ? Object.fromEntries(queryParameters) : payload
  const body = JSON.stringify(signedPayload)
  const requestUrl = new URL(url)
  for (const [key, value] of queryParameters) requestUrl.searchParams.append(key, String(value))
  return {
    url: requestUrl.href,
    method,
    headers: {
      'user-agent': webhookTestAgent,
      accept: 'application/json',
      ...(signingSecret ? { 'jambonz-signature': createSignatureHeader(signingSecret, body) } : {}),
      ...(username && password ? { authorization: `Basic ${encodeBasicCredentials(username, password)}` } : {}),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { body } : {}),
  }
}
