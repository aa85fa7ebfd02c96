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
  updatedAt: number
}

/** Returns the tenant with the quota: the account of the writer, or the provider of a key for all its accounts. The platform has no quota. */
const tenantOf = (writer: Writer): string | undefined =>
  'all' in writer ? undefined : (writer.account_sid ?? writer.service_provider_sid)

/**
 * Creates limits for what each tenant sends, so that none fills the shared disk. A quota refills evenly within a minute. A request is
 * accepted while any quota is left and may exceed it, so large requests are never refused permanently.
 */
export const createIngestQuota = (quotas: IngestQuotas, clock: () => number = () => performance.now()) => {
  const buckets = new LRUCache<string, TokenBucket>({ max: maxTenants })
  const limitedUnits = (Object.keys(quotas) as QuotaUnit[]).filter((unit) => quotas[unit] > 0)

  const refillBucket = (tenant: string): TokenBucket => {
    const now = clock()
    const previousBucket = buckets.get(tenant)
    const remaining = { ...quotas }
    if (previousBucket)
      for (const unit of limitedUnits) {
        const refilled = previousBucket.remaining[unit] + (quotas[unit] * (now - previousBucket.updatedAt)) / minuteMs
        remaining[unit] = Math.min(quotas[unit], refilled)
      }
    const bucket = { remaining, updatedAt: now }
    buckets.set(tenant, bucket)
    return bucket
  }

  return {
    /** Throws 429 with the seconds to wait if the tenant has used up its quota. */
    check(writer: Writer): void {
      const tenant = tenantOf(writer)
      if (tenant === undefined) return
      const { remaining } = refillBucket(tenant)
      for (const unit of limitedUnits) {
        if (remaining[unit] >= 1) continue
        const seconds = Math.ceil(((1 - remaining[unit]) / quotas[unit]) * (minuteMs / 1000))
        const msg =
          `Too many ${unitNames[unit]}: this tenant may send ${quotas[unit].toLocaleString('en-US')} in a minute. ` +
          `Send again in ${Math.max(1, seconds)} seconds.`
        throw new Problem(429, { msg }, { 'retry-after': String(Math.max(1, seconds)) })
      }
    },

    /** Counts the content of a request. */
    spend(writer: Writer, amounts: Partial<IngestQuotas>): void {
      const tenant = tenantOf(writer)
      if (tenant === undefined) return
      const { remaining } = refillBucket(tenant)
      for (const unit of limitedUnits) remaining[unit] -= amounts[unit] ?? 0
    },
  }
}

export type IngestQuota = ReturnType<typeof createIngestQuota>

/** The quota of routes that only the platform's own servers reach. */
export const unlimitedQuota: IngestQuota = createIngestQuota({ points: 0, spans: 0, bytes: 0 })
