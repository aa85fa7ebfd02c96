import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import type { SmppGateway } from '@trunkline/contract/shapes/smpp-gateway'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { isHost } from '@trunkline/contract/telephony/address'
import { minTechPrefixLength } from '@trunkline/contract/telephony/gateways'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { getChangedFields } from '../../kit/form/changed-fields'
import type { FieldErrors } from '../../kit/form/form'
import { createEmptyGateway, findGatewayRowErrors, toGatewayValues, type GatewayValues } from './gateways'
import { findSmppRowErrors, toSmppLists, type SmppValues } from './smpp-gateways'

/** The gateway lists of the form. */
export type GatewayListName = 'gateways' | 'smppOutbound' | 'smppInbound'

/** A carrier with its SIP gateways (`gateways`) and its SMPP gateways, as the form reads it. */
export type CarrierWithGateways = VoipCarrier & { gateways: SipGateway[]; smppGateways: SmppGateway[] }

/** The form values of a carrier. A type, not an interface: the form library requires an index signature. */
export type CarrierValues = {
  name: string
  is_active: number
  /** Null for a carrier that all accounts of its provider share. */
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
  trunk_type: string
  inbound_auth_username: string
  inbound_auth_password: string
  dtmf_type: string
  outbound_sip_proxy: string
  smpp_system_id: string
  smpp_password: string
  smpp_inbound_system_id: string
  smpp_inbound_password: string
  gateways: GatewayValues[]
  smppOutbound: SmppValues[]
  smppInbound: SmppValues[]
  /** Columns that have no field and are copied with the carrier. */
  columnsWithoutField: Partial<Pick<VoipCarrier, 'description' | 'smpp_enquire_link_interval'>>
  /** The version that was read, to detect changes by others. No field. */
  version: string | undefined
}

const createNewCarrierValues = (account_sid: string | null): CarrierValues => ({
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
  trunk_type: 'static_ip',
  inbound_auth_username: '',
  inbound_auth_password: '',
  dtmf_type: 'rfc2833',
  outbound_sip_proxy: '',
  smpp_system_id: '',
  smpp_password: '',
  smpp_inbound_system_id: '',
  smpp_inbound_password: '',
  gateways: [createEmptyGateway()],
  smppOutbound: [],
  smppInbound: [],
  columnsWithoutField: {},
  version: undefined,
})

/** Picks the columns that have a form value. Null becomes '' in a text field. */
const pickFormColumns = (row: VoipCarrier): Partial<CarrierValues> =>
  Object.fromEntries(
    Object.entries(createNewCarrierValues(null)).flatMap(([name, defaultValue]: [string, unknown]) => {
      const value: unknown = Reflect.get(row, name)
      return value === undefined ? [] : [[name, value ?? (typeof defaultValue === 'string' ? '' : null)]]
    }),
  )

/** Returns the form's initial values. `account_sid`: the owner of a new carrier. */
export const toCarrierValues = (row: CarrierWithGateways | undefined, account_sid: string | null): CarrierValues => {
  if (!row) return createNewCarrierValues(account_sid)
  const { description, smpp_enquire_link_interval, gateways, smppGateways } = row
  const columnsWithoutField = { description, smpp_enquire_link_interval }
  return {
    ...createNewCarrierValues(null),
    ...pickFormColumns(row),
    columnsWithoutField,
    gateways: gateways.map(toGatewayValues),
    ...toSmppLists(smppGateways),
  }
}

/**
 * The form's initial values without a deleted gateway. `storedValues`: the carrier as stored now. If it differs in
 * anything else, someone else has changed the carrier: the old version stays, so that a save detects the conflict.
 */
export const removeGatewayFromValues = (
  initialValues: CarrierValues,
  list: GatewayListName,
  key: string,
  storedValues: CarrierValues | undefined,
): CarrierValues => {
  const remainingValues = { ...initialValues, [list]: initialValues[list].filter((row) => row.key !== key) }
  if (!storedValues) return remainingValues
  const changedNames = Object.keys(getChangedFields(remainingValues, storedValues))
  const isUpToDate = changedNames.every((name) => name === 'version')
  return isUpToDate ? { ...remainingValues, version: storedValues.version } : remainingValues
}

/** Prepares a copy: its gateways lose their SIDs, so that they are stored as new ones. */
export const prepareCarrierCopy = (record: CarrierWithGateways): CarrierWithGateways => ({
  ...record,
  version: undefined,
  gateways: record.gateways.map((gateway) => ({ ...gateway, sip_gateway_sid: '' })),
  smppGateways: record.smppGateways.map((gateway) => ({ ...gateway, smpp_gateway_sid: '' })),
})

const isRegistering = ({ trunk_type, requires_register }: CarrierValues) =>
  trunk_type === 'reg' || Boolean(requires_register)

/** The carrier's own columns to send. Empty text becomes null, which clears a column. */
const toColumns = (values: CarrierValues) => {
  const {
    gateways: _gateways,
    smppOutbound: _smppOutbound,
    smppInbound: _smppInbound,
    columnsWithoutField: _columnsWithoutField,
    version: _version,
    ...columns
  } = values
  const { inbound_auth_username, inbound_auth_password, ...otherColumns } = columns
  const columnsToSend = {
    ...otherColumns,
    requires_register: Number(isRegistering(values)),
    outbound_sip_proxy: values.outbound_sip_proxy.replaceAll(/\s/g, ''),
    // other trunk types do not use these columns: keep the stored values
    ...(values.trunk_type === 'auth' ? { inbound_auth_username, inbound_auth_password } : {}),
  }
  // a password may start or end with spaces
  const trimText = (name: string, text: string) => (name.endsWith('password') ? text : text.trim())
  return Object.fromEntries(
    Object.entries(columnsToSend).map(([name, value]) => [
      name,
      typeof value === 'string' ? trimText(name, value) || null : value,
    ]),
  )
}

/**
 * The body to save. The name is sent even if it is empty, so that the server reports it. `record`: undefined for a new
 * carrier.
 */
export const toCarrierBody = (values: CarrierValues, record?: CarrierWithGateways) => ({
  ...(record ? {} : values.columnsWithoutField),
  ...toColumns(values),
  name: values.name.trim(),
})

const findOutboundAuthErrors = (values: CarrierValues): FieldErrors => {
  const { register_username, register_password } = values
  if (isRegistering(values) || Boolean(register_username) === Boolean(register_password)) return {}
  return { [register_username ? 'register_password' : 'register_username']: messages.incompleteAuth }
}

const findTrunkErrors = ({
  trunk_type,
  inbound_auth_username,
  inbound_auth_password,
  ...values
}: CarrierValues): FieldErrors => {
  const outboundProxy = values.outbound_sip_proxy.replaceAll(/\s/g, '')
  const errors: FieldErrors =
    outboundProxy && !isHost(outboundProxy) ? { outbound_sip_proxy: messages.invalidProxy } : {}
  if (trunk_type !== 'auth') return errors
  if (!inbound_auth_username.trim()) return { ...errors, inbound_auth_username: messages.incompleteInboundAuth }
  return inbound_auth_password ? errors : { ...errors, inbound_auth_password: messages.incompleteInboundAuth }
}

/** The validation rules that the schema does not cover. */
export const findCarrierErrors = (values: CarrierValues): FieldErrors => {
  const prefix = values.tech_prefix.trim()
  return {
    ...(prefix && prefix.length < minTechPrefixLength
      ? { tech_prefix: messages.shortTechPrefix(minTechPrefixLength) }
      : {}),
    ...findOutboundAuthErrors(values),
    ...findTrunkErrors(values),
    ...findGatewayRowErrors(values.gateways, values.trunk_type),
    ...findSmppRowErrors(values, values),
  }
}
