import { isSid } from '../http/gate'
import type { Point } from '../ports/call-history'
import type { Writer } from './writer'

/** The provider of an account; nothing when there is no such account. */
export type ProviderOf = (account_sid: string) => Promise<string | undefined>

/** What keeps a point out. */
export interface Refused {
  refused: string
}

/** How long the provider of an account is remembered, in milliseconds, and of how many. */
const memory = 10_000
const most = 10_000

/** Asks for each account once in a while, not for each of its points. */
export const remembering = (providerOf: ProviderOf, clock: () => number = () => performance.now()): ProviderOf => {
  const known = new Map<string, { provider: string | undefined; until: number }>()
  return async (account_sid) => {
    const now = clock()
    const entry = known.get(account_sid)
    if (entry && entry.until > now) return entry.provider
    const provider = await providerOf(account_sid)
    if (known.size >= most) known.clear()
    known.set(account_sid, { provider, until: now + memory })
    return provider
  }
}

const owned = (point: Point, service_provider_sid: string | undefined, account_sid: string | undefined): Point => {
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

const foreign = (name: string, sid: string): Refused => ({ refused: `this key may not write for ${name} ${sid}` })

/** Some writers put the word for nothing where there is nothing. */
const given = (sid: string | undefined) => (sid === 'undefined' || sid === 'null' || sid === '' ? undefined : sid)

/** A point in the words of whom it belongs to, or why it does not go in. What it does not say of its owner is filled in. */
export const ownedBy = async (writer: Writer, point: Point, providerOf: ProviderOf): Promise<Point | Refused> => {
  const provider = given(point.tags.service_provider_sid)
  const account = given(point.tags.account_sid)
  const malformed = Object.entries({ service_provider_sid: provider, account_sid: account }).find(
    ([, sid]) => sid !== undefined && !isSid(sid),
  )
  if (malformed) return { refused: `${malformed[0]} is not a sid` }
  if ('all' in writer) return ofAnybody(point, provider, account, providerOf)
  if (provider && provider !== writer.service_provider_sid) return foreign('service_provider_sid', provider)
  if (account && !(await mayWriteFor(writer, account, providerOf))) return foreign('account_sid', account)
  return owned(point, writer.service_provider_sid, writer.account_sid ?? account)
}

const ofAnybody = async (
  point: Point,
  provider: string | undefined,
  account: string | undefined,
  providerOf: ProviderOf,
): Promise<Point | Refused> => {
  if (!provider && !account) return { refused: 'neither account_sid nor service_provider_sid is given' }
  return owned(point, provider ?? (account && (await providerOf(account))), account)
}

/** May somebody write for this account, and is there one? */
export const mayWriteFor = async (writer: Writer, account: string, providerOf: ProviderOf): Promise<boolean> => {
  const provider = await providerOf(account)
  if ('all' in writer) return provider !== undefined
  return writer.account_sid === null ? provider === writer.service_provider_sid : account === writer.account_sid
}
