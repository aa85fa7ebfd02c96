import { datetime, flag, int, oneOf, sid, table, varchar } from '../columns'

export const voipCarriers = table(
  'voip_carriers',
  {
    voip_carrier_sid: sid().primary(),
    name: varchar(64),
    description: varchar(255).nullable(),
    account_sid: sid().nullable().references('accounts.account_sid'),
    service_provider_sid: sid().nullable().references('service_providers.service_provider_sid'),
    application_sid: sid().nullable().references('applications.application_sid'),
    e164_leading_plus: flag().default(0),
    requires_register: flag().default(0),
    register_username: varchar(64).nullable(),
    register_sip_realm: varchar(64).nullable(),
    register_password: varchar(64).caseSensitive().nullable(),
    tech_prefix: varchar(16).nullable(),
    inbound_auth_username: varchar(64).nullable(),
    inbound_auth_password: varchar(64).caseSensitive().nullable(),
    diversion: varchar(32).nullable(),
    is_active: flag().default(1),
    created_at: datetime().defaultNow(),
    smpp_system_id: varchar(255).nullable(),
    smpp_password: varchar(64).caseSensitive().nullable(),
    smpp_enquire_link_interval: int().nullable().default(0),
    smpp_inbound_system_id: varchar(255).nullable(),
    smpp_inbound_password: varchar(64).caseSensitive().nullable(),
    register_from_user: varchar(128).nullable(),
    register_from_domain: varchar(255).nullable(),
    register_public_ip_in_contact: flag().default(0),
    register_status: varchar(4096).nullable(),
    dtmf_type: oneOf('rfc2833', 'tones', 'info').default('rfc2833'),
    outbound_sip_proxy: varchar(255).nullable(),
    trunk_type: oneOf('static_ip', 'auth', 'reg').default('static_ip'),
  },
  {
    indexes: {
      voip_carrier_sid_idx: ['voip_carrier_sid'],
      account_sid_idx: ['account_sid'],
      service_provider_sid_idx: ['service_provider_sid'],
    },
  },
)

export const sipGateways = table(
  'sip_gateways',
  {
    sip_gateway_sid: sid().primary(),
    ipv4: varchar(128),
    netmask: int().default(32),
    port: int().nullable(),
    inbound: flag(),
    outbound: flag(),
    voip_carrier_sid: sid().references('voip_carriers.voip_carrier_sid'),
    is_active: flag().default(1),
    send_options_ping: flag().default(0),
    use_sips_scheme: flag().default(0),
    pad_crypto: flag().default(0),
    protocol: oneOf('udp', 'tcp', 'tls', 'tls/srtp').nullable().default('udp'),
    remove_ice: flag().default(0),
    dtls_off: flag().default(0),
  },
  {
    indexes: {
      sip_gateway_idx_hostport: ['ipv4', 'port'],
      idx_sip_gateways_inbound_carrier: ['inbound', 'voip_carrier_sid'],
      idx_sip_gateways_inbound_lookup: ['inbound', 'netmask', 'ipv4'],
      idx_sip_gateways_inbound_netmask: ['inbound', 'netmask'],
      voip_carrier_sid_idx: ['voip_carrier_sid'],
    },
  },
)

export const smppGateways = table(
  'smpp_gateways',
  {
    smpp_gateway_sid: sid().primary(),
    ipv4: varchar(128),
    port: int().default(2775),
    netmask: int().default(32),
    is_primary: flag().default(1),
    inbound: flag().default(0),
    outbound: flag().default(1),
    use_tls: flag().nullable().default(0),
    voip_carrier_sid: sid().references('voip_carriers.voip_carrier_sid'),
  },
  { indexes: { smpp_gateway_sid_idx: ['smpp_gateway_sid'], voip_carrier_sid_idx: ['voip_carrier_sid'] } },
)

export const predefinedCarriers = table(
  'predefined_carriers',
  {
    predefined_carrier_sid: sid().primary(),
    name: varchar(64),
    requires_static_ip: flag().default(0),
    e164_leading_plus: flag().default(0),
    requires_register: flag().default(0),
    register_username: varchar(64).nullable(),
    register_sip_realm: varchar(64).nullable(),
    register_password: varchar(64).caseSensitive().nullable(),
    tech_prefix: varchar(16).nullable(),
    inbound_auth_username: varchar(64).nullable(),
    inbound_auth_password: varchar(64).caseSensitive().nullable(),
    diversion: varchar(32).nullable(),
    trunk_type: oneOf('static_ip', 'auth', 'reg').default('static_ip'),
  },
  { indexes: { predefined_carrier_sid_idx: ['predefined_carrier_sid'] } },
)

export const predefinedSipGateways = table(
  'predefined_sip_gateways',
  {
    predefined_sip_gateway_sid: sid().primary(),
    ipv4: varchar(128),
    port: int().default(5060),
    inbound: flag(),
    outbound: flag(),
    netmask: int().default(32),
    predefined_carrier_sid: sid().references('predefined_carriers.predefined_carrier_sid'),
  },
  {
    indexes: {
      predefined_sip_gateway_sid_idx: ['predefined_sip_gateway_sid'],
      predefined_carrier_sid_idx: ['predefined_carrier_sid'],
    },
  },
)

export const predefinedSmppGateways = table(
  'predefined_smpp_gateways',
  {
    predefined_smpp_gateway_sid: sid().primary(),
    ipv4: varchar(128),
    port: int().default(2775),
    inbound: flag(),
    outbound: flag(),
    netmask: int().default(32),
    is_primary: flag().default(1),
    use_tls: flag().nullable().default(0),
    predefined_carrier_sid: sid().references('predefined_carriers.predefined_carrier_sid'),
  },
  {
    indexes: {
      predefined_smpp_gateway_sid_idx: ['predefined_smpp_gateway_sid'],
      predefined_carrier_sid_idx: ['predefined_carrier_sid'],
    },
  },
)
