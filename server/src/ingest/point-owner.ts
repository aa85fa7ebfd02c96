import { LRUCache } from 'lru-cache'
import { isSid } from '../http/tenant-access'
import type { Point } from '../ports/call-history'
import type { Writer } from './writer'

/** Finds the provider of an account; undefined if there is no such account. */
export type ProviderLookup = (account_sid: string) => Promise<string | undefined>

/** The reason why a point is rejected. */
export interface RejectedPoint {
  rejection: string
}

/** How long a lookup is cached, and the maximum number of cached lookups. */
const cacheMs = 10_000
const maxCachedLookups = 10_000

/** Creates a cache of provider lookups, because every point needs one. */
export const createCachedProviderLookup = (
  findProvider: ProviderLookup,
  clock: () => number = () => performance.now(),
): ProviderLookup => {
  const cache = new LRUCache<string, { provider: string | undefined }>({
    max: maxCachedLookups,
    ttl: cacheMs,
    ttlResolution: 0,
    perf: { now: clock },
  })
  return async (account_sid) => {
    const entry = cache.get(account_sid)
    if (entry) return entry.provider
    const provider = await findProvider(account_sid)
    cache.set(account_sid, { provider })
    return provider
  }
}

const withOwner = (point: Point, service_provider_sid: string | undefined, account_sid: string | undefined): Point => {
  const { service_provider_sid: _, account_sid: __, ...tags } = point.tags
  return {
    ...point,
    tags: {
      ...tags,
      ...(service_provider_sid ? { service_provider_sid } : {}),
      ...(account_sid ? { account_sid } : {}),
    },
  }
}

const rejectForeign = (name: string, sid: string): RejectedPoint => ({
  rejection: `this key is not allowed to write for ${name} ${sid}`,
})

/** Treats some words as a missing tag: there are writers that send them instead of omitting the tag. */
const normalizeSid = (sid: string | undefined) =>
  sid === 'undefined' || sid === 'null' || sid === '' ? undefined : sid

/** Completes the owner of a point, or returns the reason why the writer may not write it. */
export const assignOwner = async (
  writer: Writer,
  point: Point,
  findProvider: ProviderLookup,
): Promise<Point | RejectedPoint> => {
  const provider = normalizeSid(point.tags.service_provider_sid)
  const account = normalizeSid(point.tags.account_sid)
  const malformedTag = Object.entries({ service_provider_sid: provider, account_sid: account }).find(
    ([, sid]) => sid !== undefined && !isSid(sid),
  )
  if (malformedTag) return { rejection: `${malformedTag[0]} is not a sid` }
  if ('all' in writer) return assignNamedOwner(point, provider, account, findProvider)
  if (provider && provider !== writer.service_provider_sid) return rejectForeign('service_provider_sid', provider)
  if (account && !(await mayWriteFor(writer, account, findProvider))) return rejectForeign('account_sid', account)
  return withOwner(point, writer.service_provider_sid, writer.account_sid ?? account)
}

/** Completes the owner that the point itself names. */
const assignNamedOwner = async (
  point: Point,
  provider: string | undefined,
  account: string | undefined,
  findProvider: ProviderLookup,
): Promise<Point | RejectedPoint> => {
  if (!provider && !account) return { rejection: 'neither account_sid nor service_provider_sid is given' }
  return withOwner(point, provider ?? (account && (await findProvider(account))), account)
}

/** Whether the writer may write for the account. A key of an account may write only for that account, without a lookup. */
export const mayWriteFor = async (writer: Writer, account: string, findProvider: ProviderLookup): Promise<boolean> => {
  if ('all' in writer) return (await findProvider(account)) !== undefined
  if (writer.account_sid !== null) return account.toLowerCase() === writer.account_sid.toLowerCase()
  return (await findProvider(account)) === writer.service_provider_sid
}
