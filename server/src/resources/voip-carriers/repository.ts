import { sql } from 'kysely'
import type { Dependent } from '@trunkline/contract/kit/problem'
import type { Owner } from '@trunkline/contract/policy/actor'
import { registerStatusSchema, type VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { findDependents } from '../../db/dependents'
import { buildReachCondition, ownershipByKind } from '../../db/tenancy'
import { containsText, createRepository, type Store } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'

/** The status that SIP servers store after a successful registration. */
const registeredStatus = 'ok'

/** The registration state as an object, which is empty before the first registration. SIP servers store it as JSON text. */
const parseRegistration = (storedStatus: unknown): object => {
  if (typeof storedStatus !== 'string' || storedStatus === '') return {}
  try {
    const registration: unknown = JSON.parse(storedStatus)
    return typeof registration === 'object' && registration !== null && !Array.isArray(registration) ? registration : {}
  } catch {
    return {}
  }
}

/** The state of a carrier, as far as it is known without its calls. */
interface CarrierState extends Owner {
  voip_carrier_sid: string
  name: string
  is_active: boolean
  /** The carrier refused the last registration, for this reason if it gave one. */
  hasRefusedRegistration: boolean
  refusalReason: string | null
}

interface CarrierStateRow extends Owner {
  voip_carrier_sid: string
  name: string
  is_active: number
  requires_register: number
  register_status: string | null
}

const toCarrierState = ({ register_status, requires_register, is_active, ...row }: CarrierStateRow): CarrierState => {
  const registration = registerStatusSchema.parse(parseRegistration(register_status))
  const { status, reason } = registration
  return {
    ...row,
    is_active: Boolean(is_active),
    hasRefusedRegistration: Boolean(requires_register) && Boolean(status) && status !== registeredStatus,
    refusalReason: reason ?? null,
  }
}

/** Adds the number of inbound and outbound gateways to each carrier, with one query per page. */
const withGatewayCounts = async (rows: Row[], connection: Connection): Promise<Row[]> => {
  if (rows.length === 0) return rows
  const sids = sql.join(rows.map((row) => row.voip_carrier_sid))
  const gatewayCounts = await sql<{ sid: string; inbound: number; outbound: number }>`
    select voip_carrier_sid as sid, sum(inbound) as inbound, sum(outbound) as outbound
    from sip_gateways where voip_carrier_sid in (${sids}) group by voip_carrier_sid`.execute(connection)
  const countsBySid = new Map(gatewayCounts.rows.map((row) => [row.sid, row]))
  return rows.map((row) => {
    const counts = countsBySid.get(row.voip_carrier_sid as string)
    return { ...row, inbound_gateways: Number(counts?.inbound ?? 0), outbound_gateways: Number(counts?.outbound ?? 0) }
  })
}

export const createVoipCarrierRepository = (store: Store) => ({
  ...createRepository<VoipCarrier>(store, {
    ownership: ownershipByKind.voip_carrier,
    sortableColumns: ['name', 'account_name', 'is_active', 'created_at'],
    providerOnlyColumns: ['register_password', 'inbound_auth_password', 'smpp_password', 'smpp_inbound_password'],
    sortExpressions: { account_name: sql`na.name` },
    extraColumns: sql`, na.name as account_name`,
    extraJoins: sql`left join accounts na on na.account_sid = t.account_sid`,
    toContractRows: async (rows, connection) =>
      (await withGatewayCounts(rows, connection)).map((row) => ({
        ...row,
        register_status: parseRegistration(row.register_status),
      })),
  }),

  /** The records that prevent the deletion of a carrier: phone numbers and LCRs that use it. */
  async dependents(voip_carrier_sid: string): Promise<Dependent[]> {
    const numbers = sql`select 'phone_number' as kind, phone_number_sid as sid, number as title
      from phone_numbers where voip_carrier_sid = ${voip_carrier_sid} order by number`
    const lcrs = sql`select distinct 'lcr' as kind, l.lcr_sid as sid, l.name as title
      from lcr_carrier_set_entry e join lcr_routes r on r.lcr_route_sid = e.lcr_route_sid join lcr l on l.lcr_sid = r.lcr_sid
      where e.voip_carrier_sid = ${voip_carrier_sid}`
    return findDependents(store.database.db, [numbers, lcrs])
  },

  /** The owners of carriers whose registration has this Call-ID. */
  async ownersByRegistration(callId: string): Promise<Owner[]> {
    const { rows } = await sql<Owner & { register_status: string }>`
      select service_provider_sid, account_sid, register_status from voip_carriers
      where register_status is not null and ${containsText(sql`register_status`, callId)}`.execute(store.database.db)
    return rows.filter(({ register_status }) => Reflect.get(parseRegistration(register_status), 'callId') === callId)
  },

  /**
   * The carriers with these names, and those that have tried to register: of a provider with all its accounts, or of an account
   * with those that its provider shares.
   */
  async listStates({ service_provider_sid, account_sid }: Owner, names: readonly string[]): Promise<CarrierState[]> {
    const providerSid = service_provider_sid ?? ''
    const reach = account_sid ? { account_sid, sharedBy: providerSid } : { service_provider_sid: providerSid }
    const isNamed = names.length > 0 ? sql`t.name in (${sql.join(names)})` : sql`1 = 0`
    const { rows } =
      await sql<CarrierStateRow>`select t.voip_carrier_sid, t.name, t.account_sid, t.service_provider_sid,
        t.is_active, t.requires_register, t.register_status
      from voip_carriers t where ${buildReachCondition(reach, ownershipByKind.voip_carrier)}
        and (${isNamed} or (t.requires_register = 1 and t.register_status is not null and t.register_status <> ''))
      order by t.name, t.voip_carrier_sid`.execute(store.database.db)
    return rows.map(toCarrierState)
  },

  /** The phone numbers and LCRs that use the carrier, but could not if it belonged to this owner. */
  async foreignReferences(
    voip_carrier_sid: string,
    { account_sid, service_provider_sid }: Owner,
  ): Promise<Dependent[]> {
    const providerSid = service_provider_sid ?? ''
    const isForeignNumber = account_sid
      ? sql`n.account_sid <> ${account_sid}`
      : sql`a.service_provider_sid <> ${providerSid}`
    // The LCR of a provider cannot use an account's carrier.
    const isForeignLcr = account_sid
      ? sql`coalesce(l.account_sid, '') <> ${account_sid}`
      : sql`coalesce(a.service_provider_sid, l.service_provider_sid) <> ${providerSid}`
    const numbers = sql`select 'phone_number' as kind, n.phone_number_sid as sid, n.number as title
      from phone_numbers n join accounts a on a.account_sid = n.account_sid
      where n.voip_carrier_sid = ${voip_carrier_sid} and ${isForeignNumber} order by n.number`
    const lcrs = sql`select distinct 'lcr' as kind, l.lcr_sid as sid, l.name as title
      from lcr_carrier_set_entry e join lcr_routes r on r.lcr_route_sid = e.lcr_route_sid join lcr l on l.lcr_sid = r.lcr_sid
      left join accounts a on a.account_sid = l.account_sid
      where e.voip_carrier_sid = ${voip_carrier_sid} and ${isForeignLcr}`
    return findDependents(store.database.db, [numbers, lcrs])
  },

  /** Deletes a carrier with its gateways in one transaction. */
  async removeWithGateways(voip_carrier_sid: string): Promise<void> {
    await withTransaction(store.database.db, async (tx) => {
      await tx.deleteFrom('sip_gateways').where('voip_carrier_sid', '=', voip_carrier_sid).execute()
      await tx.deleteFrom('smpp_gateways').where('voip_carrier_sid', '=', voip_carrier_sid).execute()
      await tx.deleteFrom('voip_carriers').where('voip_carrier_sid', '=', voip_carrier_sid).execute()
    })
  },
})

export type VoipCarriers = ReturnType<typeof createVoipCarrierRepository>
