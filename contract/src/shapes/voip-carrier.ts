import * as z from 'zod'
import { bit, choice, flag, optionalText, timestamp, name, optionalSid } from '../kit/fields'
import { isSipHost } from '../telephony/address'
import { trunkTypes } from '../telephony/gateways'
import { carrierSipGatewaySchema as sipGateway } from './sip-gateway'
import { carrierSmppGatewaySchema as smppGateway } from './smpp-gateway'

export const registerStatusSchema = z.object({
  // Written by the platform. Invalid values are dropped, so that one bad row does not break a whole list.
  status: z.string().optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
  cseq: z.union([z.string(), z.number()]).optional().catch(undefined),
  callId: z.string().optional().catch(undefined),
})

export const voipCarrierSchema = z.object({
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
  created_at: timestamp(),
  smpp_system_id: z.string().nullable(),
  smpp_password: z.string().nullable(),
  smpp_enquire_link_interval: z.number().nullable(),
  smpp_inbound_system_id: z.string().nullable(),
  smpp_inbound_password: z.string().nullable(),
  register_from_user: z.string().nullable(),
  register_from_domain: z.string().nullable(),
  register_public_ip_in_contact: bit(),
  register_status: registerStatusSchema,
  dtmf_type: z.string(),
  outbound_sip_proxy: z.string().nullable(),
  trunk_type: z.string(),
  /** Trunkline additions: the name of the carrier's account, and the number of inbound and outbound gateways. */
  account_name: z.string().nullable().optional(),
  inbound_gateways: z.number().optional(),
  outbound_gateways: z.number().optional(),
  /** A Trunkline addition, for a single carrier: changes whenever the carrier or one of its gateways changes. */
  version: z.string().optional(),
})

const formatHostError = (field: string) => `${field} must be a valid domain or IP address (no sip: prefix, no spaces)`

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
    .refine((value) => !value || isSipHost(value), formatHostError('register_sip_realm')),
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
    formatHostError('register_from_domain'),
  ),
  register_public_ip_in_contact: flag().optional(),
  dtmf_type: choice(['rfc2833', 'tones', 'info']).optional(),
  outbound_sip_proxy: optionalText(255),
  trunk_type: choice(trunkTypes).optional(),
  /** Written by the platform's SIP servers. Accepted because clients send whole records back; ignored. */
  register_status: z.unknown().optional(),
  created_at: z.unknown().optional(),
})

/** The maximum number of gateways of each kind that are saved with a carrier. */
const maxGateways = 300

/**
 * A Trunkline addition: server capability `gateways`. Replaces all gateways of the carrier. If absent, the gateways
 * stay unchanged.
 */
const gateways = {
  sip_gateways: z.array(sipGateway).max(maxGateways).optional(),
  smpp_gateways: z.array(smppGateway).max(maxGateways).optional(),
}

/** The server assigns the SID and ignores one in the request. */
export const voipCarrierDraftSchema = columns.extend({ voip_carrier_sid: z.unknown().optional(), ...gateways })

/**
 * With `version`, a Trunkline addition, the update fails with 409 if the carrier has changed since that version was
 * read.
 */
export const voipCarrierChangesSchema = columns
  .partial()
  .extend({ ...gateways, version: z.string().max(64).optional() })

export type VoipCarrier = z.output<typeof voipCarrierSchema>
export type VoipCarrierDraft = z.input<typeof voipCarrierDraftSchema>
export type VoipCarrierChanges = z.input<typeof voipCarrierChangesSchema>
