import { flag, int, sid, table, varchar } from '../columns'

export const lcr = table(
  'lcr',
  {
    lcr_sid: sid().primary(),
    name: varchar(64).nullable(),
    is_active: flag().default(1),
    default_carrier_set_entry_sid: sid().nullable().references('lcr_carrier_set_entry.lcr_carrier_set_entry_sid'),
    service_provider_sid: sid().nullable(),
    account_sid: sid().nullable(),
  },
  {
    indexes: {
      lcr_sid_idx: ['lcr_sid'],
      service_provider_sid_idx: ['service_provider_sid'],
      account_sid_idx: ['account_sid'],
    },
  },
)

export const lcrRoutes = table(
  'lcr_routes',
  {
    lcr_route_sid: sid().primary(),
    lcr_sid: sid().references('lcr.lcr_sid'),
    regex: varchar(32),
    description: varchar(1024).nullable(),
    priority: int(),
  },
  { indexes: { lcr_sid_idx: ['lcr_sid'] } },
)

export const lcrCarrierSetEntry = table('lcr_carrier_set_entry', {
  lcr_carrier_set_entry_sid: sid().primary(),
  workload: int().default(1),
  lcr_route_sid: sid().references('lcr_routes.lcr_route_sid'),
  voip_carrier_sid: sid().references('voip_carriers.voip_carrier_sid'),
  priority: int().default(0),
})
