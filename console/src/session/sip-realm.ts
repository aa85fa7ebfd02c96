import { setSipRealm } from '@trunkline/contract/resources/registration'
import { currentUser } from '@trunkline/contract/resources/session'
import type { CurrentUser } from '@trunkline/contract/shapes/session'
import { request } from '../lib/client'
import { Problem } from '../lib/problem'

/** The parts of the own account's SIP realm. */
export interface OwnRealm {
  /** The realm; null if the account has none. */
  sipRealm: string | null
  /** The domain below which the account chooses a subdomain; null if the installation has none. */
  rootDomain: string | null
}

const toText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null)

export const toOwnRealm = ({ account }: CurrentUser): OwnRealm => ({
  sipRealm: toText(account.sip_realm),
  rootDomain: toText(account.root_domain),
})

/** Reads the SIP realm of the signed-in user's account, and the domain that it is part of. */
export const readOwnRealm = (signal?: AbortSignal): Promise<OwnRealm> =>
  request(currentUser, { signal, isBackground: true }).then(toOwnRealm)

/**
 * Sets the SIP realm of the signed-in user's account. A server may store the realm before it creates DNS records, and
 * then fail: the stored realm decides whether the change succeeded.
 */
export const setOwnRealm = async (account_sid: string, sip_realm: string): Promise<void> => {
  try {
    await request(setSipRealm, { params: { account_sid, sip_realm }, isBackground: true })
  } catch (error) {
    const mayHaveSucceeded = error instanceof Problem && (error.status === 0 || error.status >= 500)
    const isStored = mayHaveSucceeded && (await readOwnRealm().catch(() => undefined))?.sipRealm === sip_realm
    if (!isStored) throw error
  }
}
