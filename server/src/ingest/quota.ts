import { Problem } from '../http/problem'
import type { Writer } from './writer'

/** What one tenant may bring with its keys in a minute; 0: as much as it likes. */
export interface IngestQuotas {
  points: number
  spans: number
  bytes: number
}

export type Measure = keyof IngestQuotas

const minuteMs = 60_000
/** Tenants that are remembered; one that wrote nothing for a minute has its whole quota again, and is forgotten first. */
const maxTenants = 10_000

const nameOf: Record<Measure, string> = {
  points: 'call records and alerts',
  spans: 'spans',
  bytes: 'bytes',
}

interface Bucket {
  left: Record<Measure, number>
  at: number
}

/** An account has a quota of its own; what is written for a whole provider is the provider's. The platform has none. */
const tenantOf = (writer: Writer): string | undefined =>
  'all' in writer ? undefined : (writer.account_sid ?? writer.service_provider_sid)

/**
 * Counts what each tenant brings, so that none fills the disk of all. A quota is a minute's worth that refills evenly. A
 * request is admitted while something is left and may take more than that, so that a large one is never refused for ever.
 */
export const ingestQuota = (quotas: IngestQuotas, clock: () => number = () => performance.now()) => {
  const buckets = new Map<string, Bucket>()
  const measures = (Object.keys(quotas) as Measure[]).filter((measure) => quotas[measure] > 0)

  const bucketOf = (tenant: string): Bucket => {
    const now = clock()
    const known = buckets.get(tenant)
    const left = { ...quotas }
    if (known)
      for (const measure of measures) {
        const refilled = known.left[measure] + (quotas[measure] * (now - known.at)) / minuteMs
        left[measure] = Math.min(quotas[measure], refilled)
      }
    const bucket = { left, at: now }
    buckets.delete(tenant)
    buckets.set(tenant, bucket)
    if (buckets.size > maxTenants) buckets.delete(buckets.keys().next().value!)
    return bucket
  }

  return {
    /** Throws 429 with the seconds to wait when the tenant has used up its quota. */
    check(writer: Writer): void {
      const tenant = tenantOf(writer)
      if (tenant === undefined) return
      const { left } = bucketOf(tenant)
      for (const measure of measures) {
        if (left[measure] >= 1) continue
        const seconds = Math.ceil(((1 - left[measure]) / quotas[measure]) * (minuteMs / 1000))
        const msg =
          `Too many ${nameOf[measure]}: this tenant may send ${quotas[measure].toLocaleString('en-US')} in a minute. ` +
          `Send again in ${Math.max(1, seconds)} seconds.`
        throw new Problem(429, { msg }, { 'retry-after': String(Math.max(1, seconds)) })
      }
    },

    /** Counts what a request has brought. */
    spend(writer: Writer, spent: Partial<IngestQuotas>): void {
      const tenant = tenantOf(writer)
      if (tenant === undefined) return
      const { left } = bucketOf(tenant)
      for (const measure of measures) left[measure] -= spent[measure] ?? 0
    },
  }
}

export type IngestQuota = ReturnType<typeof ingestQuota>

/** For a door that only the platform's own servers reach. */
export const noQuota: IngestQuota = ingestQuota({ points: 0, spans: 0, bytes: 0 })
