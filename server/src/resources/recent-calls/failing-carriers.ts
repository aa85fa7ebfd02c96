import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { FailingCarrier } from '@trunkline/contract/shapes/recent-call'
import type { Services } from '../../composition/services'
import type { CallHistory, Tenant } from '../../ports/call-history'
import { findFailingTrunks, isCarrierFailure, type FailingTrunk } from './failing-trunks'

const hourMs = 3_600_000
/** A carrier with no call for longer is not judged. */
const judgedHours = 24
/** The failures of at most this many trunks are examined: those with the most. */
const maxTrunks = 20

type FailingCalls = NonNullable<FailingCarrier['calls']>
type Carrier = Awaited<ReturnType<Services['voipCarriers']['listStates']>>[number]

/** Returns when the first call of a trunk failed; undefined if its calls have been deleted meanwhile. */
const findFirstFailure = async (
  callHistory: CallHistory,
  tenant: Tenant,
  { trunk, firstHour, firstStatuses }: FailingTrunk,
): Promise<number | undefined> => {
  const from = firstHour * hourMs
  const firstCalls = await Promise.all(
    firstStatuses.map((sip_status) =>
      callHistory.listCalls(tenant, {
        trunk,
        direction: 'outbound',
        answered: false,
        sip_status,
        from,
        oldestFirst: true,
        page: 1,
        count: 1,
      }),
    ),
  )
  const times = firstCalls.flatMap(({ rows }) => rows.map(({ attempted_at }) => Date.parse(attempted_at)))
  return times.length > 0 ? Math.min(...times) : undefined
}

/** Sums up the outbound calls of a trunk since the first failure. */
const summarizeFailures = async (
  callHistory: CallHistory,
  tenant: Tenant,
  failingTrunk: FailingTrunk,
): Promise<FailingCalls | undefined> => {
  const firstFailureAt = await findFirstFailure(callHistory, tenant, failingTrunk)
  if (firstFailureAt === undefined) return undefined
  const filter = { trunk: failingTrunk.trunk, direction: 'outbound', from: firstFailureAt } as const
  const sums = await callHistory.sumCalls(tenant, filter)
  const callsByStatus = new Map<number, number>()
  for (const sum of sums.filter(isCarrierFailure))
    callsByStatus.set(sum.sip_status, (callsByStatus.get(sum.sip_status) ?? 0) + sum.callCount)
  return {
    since: new Date(firstFailureAt).toISOString(),
    total: sums.reduce((total, { callCount }) => total + callCount, 0),
    failed: [...callsByStatus.values()].reduce((total, calls) => total + calls, 0),
    failures: [...callsByStatus]
      .map(([sip_status, calls]) => ({ sip_status, calls }))
      .toSorted((a, b) => b.calls - a.calls),
  }
}

/** Compares names without case, as the filter by trunk does. */
const haveSameName = (first: string, second: string) => first.toLowerCase() === second.toLowerCase()

/** Lists the carriers of a tenant that fail now: those of failing trunks, and active ones whose registration was refused. */
export const listFailingCarriers = async (
  { callHistory, voipCarriers }: Pick<Services, 'callHistory' | 'voipCarriers'>,
  actor: Actor,
  { tenant, owner }: { tenant: Tenant; owner: Owner },
  now: number = Date.now(),
): Promise<FailingCarrier[]> => {
  const firstHour = Math.floor(now / hourMs) - judgedHours
  const trunks = findFailingTrunks(await callHistory.countByTrunk(tenant, firstHour)).slice(0, maxTrunks)
  const carriers = await voipCarriers.listStates(
    owner,
    trunks.map(({ trunk }) => trunk),
  )
  const toSid = (carrier: Carrier | undefined): string | null =>
    carrier && can(actor, 'read', 'voip_carrier', carrier) ? carrier.voip_carrier_sid : null
  const toRegistration = (carrier: Carrier | undefined): FailingCarrier['registration'] =>
    carrier?.hasRefusedRegistration ? { reason: carrier.refusalReason } : null

  const failingCarriers = await Promise.all(
    trunks.map(async (failingTrunk): Promise<FailingCarrier[]> => {
      const sameName = carriers.filter(({ name }) => haveSameName(name, failingTrunk.trunk))
      // Nobody waits for the calls of a carrier that was switched off.
      if (sameName.length > 0 && sameName.every(({ is_active }) => !is_active)) return []
      const calls = await summarizeFailures(callHistory, tenant, failingTrunk)
      if (!calls) return []
      const carrier = sameName.length === 1 ? sameName[0] : undefined
      return [
        {
          name: failingTrunk.trunk,
          voip_carrier_sid: toSid(carrier),
          calls,
          registration: toRegistration(carrier),
        },
      ]
    }),
  )
  const listed = failingCarriers.flat()
  const unregistered = carriers.filter(
    (carrier) =>
      carrier.is_active &&
      carrier.hasRefusedRegistration &&
      !listed.some(({ name, registration }) => registration && haveSameName(name, carrier.name)),
  )
  return [
    ...listed,
    ...unregistered.map((carrier) => ({
      name: carrier.name,
      voip_carrier_sid: toSid(carrier),
      calls: null,
      registration: toRegistration(carrier),
    })),
  ]
}
