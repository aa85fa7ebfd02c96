import { datetime, flag, int, oneOf, sid, table, varchar } from '../columns'

export const systemInformation = table('system_information', {
  domain_name: varchar(255).nullable(),
  sip_domain_name: varchar(255).nullable(),
  monitoring_domain_name: varchar(255).nullable(),
  private_network_cidr: varchar(8192).nullable(),
  log_level: oneOf('info', 'debug').default('info'),
})

export const sbcAddresses = table(
  'sbc_addresses',
  {
    sbc_address_sid: sid().primary(),
    ipv4: varchar(255),
    port: int().default(5060),
    tls_port: int().nullable(),
    wss_port: int().nullable(),
    service_provider_sid: sid().nullable().references('service_providers.service_provider_sid'),
    last_updated: datetime().nullable(),
  },
  {
    indexes: {
      sbc_addresses_idx_host_port: ['ipv4', 'port'],
      sbc_address_sid_idx: ['sbc_address_sid'],
      service_provider_sid_idx: ['service_provider_sid'],
    },
  },
)

export const smppAddresses = table(
  'smpp_addresses',
  {
    smpp_address_sid: sid().primary(),
    ipv4: varchar(255),
    port: int().default(5060),
    use_tls: flag().default(0),
    is_primary: flag().default(1),
    service_provider_sid: sid().nullable().references('service_providers.service_provider_sid'),
  },
  { indexes: { smpp_address_sid_idx: ['smpp_address_sid'], service_provider_sid_idx: ['service_provider_sid'] } },
)

export const schemaVersion = table('schema_version', {
  version: varchar(16).nullable(),
})
