import { LRUCache } from 'lru-cache'
import { Problem } from '../http/problem'
import type { Writer } from './writer'

/** How much one tenant may send with its keys per minute; 0: unlimited. Points are call records and alerts. */
export interface IngestQuotas {
  points: number
  spans: number
  bytes: number
}

export type QuotaUnit = keyof IngestQuotas

const minuteMs = 60_000
/** Maximum number of tracked tenants. After a minute without requests, a tenant has its full quota and can be forgotten. */
const maxTenants = 10_000

const unitNames: Record<QuotaUnit, string> = {
  points: 'call records and alerts',
  spans: 'spans',
  bytes: 'bytes',
}

interface TokenBucket {
  remaining: Record<QuotaUnit, number>
  /** Reserved by unfinished requests. */
  reserved: Record<QuotaUnit, number>
  updatedAt: number
}

/** What an unfinished request may still use of its tenant's quota. */
export interface QuotaReservation {
  /** Reserves more. Throws 429 if the tenant's other requests have used up or reserved its quota of these units. */
  add: (amounts: Partial<IngestQuotas>) => void
  /** Counts the content of the request, and ends the reservation of these units. */
  settle: (amounts: Partial<IngestQuotas>) => void
  /** Ends the reservation of all units. */
  release: () => void
}

/** Returns the tenant with the quota: the account of the writer, or the provider of a key for all its accounts. The platform has no quota. */
const tenantOf = (writer: Writer): string | undefined =>
  'all' in writer ? undefined : (writer.account_sid ?? writer.service_provider_sid)

const unlimitedReservation: QuotaReservation = { add: () => {}, settle: () => {}, release: () => {} }

const noAmounts: Readonly<IngestQuotas> = { points: 0, spans: 0, bytes: 0 }

/**
 * Creates limits for what each tenant sends, so that none fills the shared disk or memory. A quota refills evenly within a
 * minute. A request is accepted while any quota is left and may exceed it, so large requests are never refused permanently.
 * Parallel requests reserve their content before it is read; otherwise all of them could exceed the same quota.
 */
export const createIngestQuota = (quotas: IngestQuotas, clock: () => number = () => performance.now()) => {
  const buckets = new LRUCache<string, TokenBucket>({ max: maxTenants })
  const limitedUnits = (Object.keys(quotas) as QuotaUnit[]).filter((unit) => quotas[unit] > 0)

  const refillBucket = (bucket: TokenBucket): void => {
    const now = clock()
    for (const unit of limitedUnits) {
      const refilled = bucket.remaining[unit] + (quotas[unit] * (now - bucket.updatedAt)) / minuteMs
      bucket.remaining[unit] = Math.min(quotas[unit], refilled)
    }
    bucket.updatedAt = now
  }

  const findOrCreateBucket = (tenant: string): TokenBucket => {
    const bucket = buckets.get(tenant) ?? { remaining: { ...quotas }, reserved: { ...noAmounts }, updatedAt: clock() }
    buckets.set(tenant, bucket)
    return bucket
  }

  /** Throws 429 if nothing is left of one of the units, apart from what the request itself has reserved. */
  const checkBucket = (bucket: TokenBucket, units: QuotaUnit[], ownAmounts: IngestQuotas): void => {
    refillBucket(bucket)
    for (const unit of units) {
      const remaining = bucket.remaining[unit]
      if (remaining - (bucket.reserved[unit] - ownAmounts[unit]) >= 1) continue
      // Reservations end with their requests, usually at once: only used amounts take time to refill.
      const seconds = Math.max(1, Math.ceil(((1 - remaining) / quotas[unit]) * (minuteMs / 1000)))
      const msg =
        `Too many ${unitNames[unit]}: this tenant may send ${quotas[unit].toLocaleString('en-US')} in a minute. ` +
        `Send again in ${seconds} seconds.`
      throw new Problem(429, { msg }, { 'retry-after': String(seconds) })
    }
  }

  const createReservation = (bucket: TokenBucket): QuotaReservation => {
    const ownAmounts = { ...noAmounts }
    const setReserved = (unit: QuotaUnit, amount: number) => {
      bucket.reserved[unit] += amount - ownAmounts[unit]
      ownAmounts[unit] = amount
    }
    return {
      add(amounts) {
        const units = limitedUnits.filter((unit) => amounts[unit] !== undefined)
        checkBucket(bucket, units, ownAmounts)
        for (const unit of units) setReserved(unit, ownAmounts[unit] + (amounts[unit] ?? 0))
      },
      settle(amounts) {
        refillBucket(bucket)
        for (const unit of limitedUnits) {
          const amount = amounts[unit]
          if (amount === undefined) continue
          setReserved(unit, 0)
          bucket.remaining[unit] -= amount
        }
      },
      release: () => limitedUnits.forEach((unit) => setReserved(unit, 0)),
    }
  }

  return {
    /** Reserves the content of a request. Throws 429 with the seconds to wait if the tenant has nothing left of one of these units. */
    reserve(writer: Writer, amounts: Partial<IngestQuotas>): QuotaReservation {
      const tenant = tenantOf(writer)
      if (tenant === undefined) return unlimitedReservation
      const reservation = createReservation(findOrCreateBucket(tenant))
      reservation.add(amounts)
      return reservation
    },
  }
}

export type IngestQuota = ReturnType<typeof createIngestQuota>

/** The quota of routes that only the platform's own servers reach. */
export const unlimitedQuota: IngestQuota = createIngestQuota(noAmounts)
