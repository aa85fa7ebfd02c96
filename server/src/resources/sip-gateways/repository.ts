import { sql } from 'kysely'
import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import { ownershipByKind } from '../../db/tenancy'
import { createRepository, type Store } from '../../db/repository'

export const createSipGatewayRepository = (store: Store) => ({
  ...createRepository<SipGateway>(store, { ownership: ownershipByKind.sip_gateway, sortableColumns: ['ipv4'] }),

  async countByCarrier(voip_carrier_sid: string): Promise<number> {
    const { rows } = await sql<{ total: number | string }>`select count(*) as total from sip_gateways
      where voip_carrier_sid = ${voip_carrier_sid}`.execute(store.database.db)
    return Number(rows[0]?.total ?? 0)
  },
})

export type SipGateways = ReturnType<typeof createSipGatewayRepository>
