import { z } from 'zod'
import { bit, choice, flag, optionalText, moment, name, optionalSid } from '../kit/fields'
import { isSipHost } from '../telephony/address'
import { trunkTypes } from '../telephony/gateways'
import { gatewayOfCarrier as sipGateway } from './sip-gateway'
import { gatewayOfCarrier as smppGateway } from './smpp-gateway'

export const registerStatus = z.object({
  // Written by other programs: what is not as expected is left out, so that one odd row cannot fail a whole list.
  status: z.string().optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
  cseq: z.union([z.string(), z.number()]).optional().catch(undefined),
  callId: z.string().optional().catch(undefined),
})

export const row = z.object({
  voip_carrier_sid: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  account_sid: z.string().nullable(),
  service_provider_sid: z.string().nullable(),
  application_sid: z.string().nullable(),
  e164_leading_plus: bit(),
  requires_register: bit(),
  register_username: z.string().nullable(),
  register_sip_realm: z.string().nullable(),
  register_password: z.string().nullable(),
  tech_prefix: z.string().nullable(),
  inbound_auth_username: z.string().nullable(),
  inbound_auth_password: z.string().nullable(),
  diversion: z.string().nullable(),
  is_active: bit(),
  created_at: moment(),
  smpp_system_id: z.string().nullable(),
  smpp_password: z.string().nullable(),
  smpp_enquire_link_interval: z.number().nullable(),
  smpp_inbound_system_id: z.string().nullable(),
  smpp_inbound_password: z.string().nullable(),
  register_from_user: z.string().nullable(),
  register_from_domain: z.string().nullable(),
  register_public_ip_in_contact: bit(),
  register_status: registerStatus,
  dtmf_type: z.string(),
  outbound_sip_proxy: z.string().nullable(),
  trunk_type: z.string(),
  /** Ours: the name of the account that alone may use it, and how many gateways take and send calls. */
  account_name: z.string().nullable().optional(),
  inbound_gateways: z.number().optional(),
  outbound_gateways: z.number().optional(),
  /** Ours, of one carrier: differs when the carrier or one of its gateways has been changed. */
  version: z.string().optional(),
})

const invalidHostMessage = (field: string) =>
  `${field} must be a valid domain or IP address (no sip: prefix, no spaces)`

const columns = z.strictObject({
  name: name(64, 'missing field name'),
  description: optionalText(255),
  account_sid: optionalSid(() => 'unknown account_sid'),
  service_provider_sid: optionalSid(() => 'unknown service_provider_sid'),
  application_sid: optionalSid(() => 'unknown application_sid'),
  e164_leading_plus: flag().optional(),
  requires_register: flag().optional(),
  register_username: optionalText(64).refine(
    (value) => !value || !/\s/.test(value),
    'register_username must not contain whitespace',
  ),
  register_sip_realm: optionalText(64)
    .refine((value) => value !== '', 'register_sip_realm must not be empty string; use null to fall back to gateway IP')
    .refine((value) => !value || isSipHost(value), invalidHostMessage('register_sip_realm')),
  register_password: optionalText(64),
  tech_prefix: optionalText(16),
  inbound_auth_username: optionalText(64),
  inbound_auth_password: optionalText(64),
  diversion: optionalText(32),
  is_active: flag().optional(),
  smpp_system_id: optionalText(255),
  smpp_password: optionalText(64),
  smpp_enquire_link_interval: z.number().int().nullish(),
  smpp_inbound_system_id: optionalText(255),
  smpp_inbound_password: optionalText(64),
  register_from_user: optionalText(128),
  register_from_domain: optionalText(255).refine(
    (value) => !value || isSipHost(value),
    invalidHostMessage('register_from_domain'),
  ),
  register_public_ip_in_contact: flag().optional(),
  dtmf_type: choice(['rfc2833', 'tones', 'info']).optional(),
  outbound_sip_proxy: optionalText(255),
  trunk_type: choice(trunkTypes).optional(),
  /** Written by the SIP side; accepted in a body that repeats a whole record, and then left as it is. */
  register_status: z.unknown().optional(),
  created_at: z.unknown().optional(),
})

/** Gateways of one carrier that are written with it. */
const maxGateways = 300

/** Ours (see abilities.gateways): all gateways that the carrier has afterwards. A list that is not there changes nothing. */
const gateways = {
  sip_gateways: z.array(sipGateway).max(maxGateways).optional(),
  smpp_gateways: z.array(smppGateway).max(maxGateways).optional(),
}

/** The server's own sid is put over whatever a draft says. */
export const create = columns.extend({ voip_carrier_sid: z.unknown().optional(), ...gateways })

/** With the `version` that was read (ours), a carrier that has been changed since is not written over: 409. */
export const update = columns.partial().extend({ ...gateways, version: z.string().max(64).optional() })

export type VoipCarrier = z.output<typeof row>
export type VoipCarrierDraft = z.input<typeof create>
export type VoipCarrierChanges = z.input<typeof update>
