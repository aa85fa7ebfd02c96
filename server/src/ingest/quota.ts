import { LRUCache } from 'lru-cache'
import { Problem } from '../http/problem'
import type { Writer } from './writer'

/** What one tenant may send with its keys per minute; 0: unlimited. */
export interface IngestQuotas {
  points: number
  spans: number
  bytes: number
}

export type Measure = keyof IngestQuotas

const minuteMs = 60_000
/** Maximum number of tracked tenants. After a minute without requests, a tenant has its full quota and can be forgotten. */
const maxTenants = 10_000

const quotaNames: Record<Measure, string> = {
  points: 'call records and alerts',
  spans: 'spans',
  bytes: 'bytes',
}

interface Bucket {
  remaining: Record<Measure, number>
  updatedAt: number
}

/** An account has its own quota; writes for a whole provider count for the provider. The platform has none. */
const tenantOf = (writer: Writer): string | undefined =>
  'all' in writer ? undefined : (writer.account_sid ?? writer.service_provider_sid)

/**
 * Limits how much each tenant sends, so that none fills the shared disk. A quota refills evenly within a minute. A request is
 * accepted while any quota is left and may exceed it, so large requests are never refused permanently.
 */
export const ingestQuota = (quotas: IngestQuotas, clock: () => number = () => performance.now()) => {
  const buckets = new LRUCache<string, Bucket>({ max: maxTenants })
  const measures = (Object.keys(quotas) as Measure[]).filter((measure) => quotas[measure] > 0)

  const bucketOf = (tenant: string): Bucket => {
    const now = clock()
    const previousBucket = buckets.get(tenant)
    const remaining = { ...quotas }
    if (previousBucket)
      for (const measure of measures) {
        const refilled =
          previousBucket.remaining[measure] + (quotas[measure] * (now - previousBucket.updatedAt)) / minuteMs
        remaining[measure] = Math.min(quotas[measure], refilled)
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
      const { remaining } = bucketOf(tenant)
      for (const measure of measures) {
        if (remaining[measure] >= 1) continue
        const seconds = Math.ceil(((1 - remaining[measure]) / quotas[measure]) * (minuteMs / 1000))
        const msg =
          `Too many ${quotaNames[measure]}: this tenant may send ${quotas[measure].toLocaleString('en-US')} in a minute. ` +
          `Send again in ${Math.max(1, seconds)} seconds.`
        throw new Problem(429, { msg }, { 'retry-after': String(Math.max(1, seconds)) })
      }
    },

    /** Counts the content of a request. */
    spend(writer: Writer, amounts: Partial<IngestQuotas>): void {
      const tenant = tenantOf(writer)
      if (tenant === undefined) return
      const { remaining } = bucketOf(tenant)
      for (const measure of measures) remaining[measure] -= amounts[measure] ?? 0
    },
  }
}

export type IngestQuota = ReturnType<typeof ingestQuota>

/** For routes that only the platform's own servers reach. */
export const unlimitedQuota: IngestQuota = ingestQuota({ points: 0, spans: 0, bytes: 0 })
