import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { techPrefixMinimum } from '@trunkline/contract/telephony/gateways'
import { messages } from '@trunkline/contract/messages/carrier'
import type { Faults } from '../../kit/form'
import { blankGateway, gatewayRowFaults, gatewayValues, type GatewayValues } from './gateways'

/** A carrier with its SIP gateways, as the form reads it. */
export type WholeCarrier = VoipCarrier & { gateways: SipGateway[] }

/** A type, not an interface: the form library asks for an index. */
export type CarrierValues = {
  name: string
  is_active: number
  account_sid: string | null
  application_sid: string | null
  tech_prefix: string
  diversion: string
  e164_leading_plus: number
  register_username: string
  register_password: string
  requires_register: number
  register_sip_realm: string
  register_from_user: string
  register_from_domain: string
  register_public_ip_in_contact: number
  gateways: GatewayValues[]
}

const blank = (account_sid: string | null): CarrierValues => ({
  name: '',
  is_active: 1,
  account_sid,
  application_sid: null,
  tech_prefix: '',
  diversion: '',
  e164_leading_plus: 0,
  register_username: '',
  register_password: '',
  requires_register: 0,
  register_sip_realm: '',
  register_from_user: '',
  register_from_domain: '',
  register_public_ip_in_contact: 0,
  gateways: [blankGateway()],
})

/** The form's first values. `account_sid`: whose carrier a new one is. */
export const carrierValues = (row: WholeCarrier | undefined, account_sid: string | null): CarrierValues =>
  row
    ? {
        name: row.name,
        is_active: row.is_active,
        account_sid: row.account_sid,
        application_sid: row.application_sid,
        tech_prefix: row.tech_prefix ?? '',
        diversion: row.diversion ?? '',
        e164_leading_plus: row.e164_leading_plus,
        register_username: row.register_username ?? '',
        register_password: row.register_password ?? '',
        requires_register: row.requires_register,
        register_sip_realm: row.register_sip_realm ?? '',
        register_from_user: row.register_from_user ?? '',
        register_from_domain: row.register_from_domain ?? '',
        register_public_ip_in_contact: row.register_public_ip_in_contact,
        gateways: row.gateways.map(gatewayValues),
      }
    : blank(account_sid)

/** What travels of the carrier itself: blank text as null, because that is how the wire clears a field. */
export const carrierBody = ({ gateways: _, ...values }: CarrierValues) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.trim() || null : value]),
  )

/** The name is sent as it stands, so that a blank one is refused as blank. */
export const carrierSent = (values: CarrierValues) => ({ ...carrierBody(values), name: values.name.trim() })

const registrationFaults = (values: CarrierValues): Faults => {
  const { register_username, register_password, requires_register } = values
  if (requires_register || Boolean(register_username) === Boolean(register_password)) return {}
  return { [register_username ? 'register_password' : 'register_username']: messages.authTogether }
}

/** The rules of a carrier that its shape does not say. */
export const carrierFaults = (values: CarrierValues): Faults => {
  const prefix = values.tech_prefix.trim()
  return {
    ...(prefix && prefix.length < techPrefixMinimum
      ? { tech_prefix: messages.shortTechPrefix(techPrefixMinimum) }
      : {}),
    ...registrationFaults(values),
    ...gatewayRowFaults(values.gateways),
  }
}
