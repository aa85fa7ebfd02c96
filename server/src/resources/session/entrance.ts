import type { Scope } from '@trunkline/contract/policy/actor'
import { forbidden, Problem } from '../../http/problem'
import { verifyPassword } from '../../secrets/password'
import type { Services } from '../../services'
import { isViewOnly, type StoredUser } from '../users/service'

const tooMany = (rest: string) =>
  new Problem(403, { error: `Maximum login attempts reached. Please try again ${rest}` })

/** What every way of signing in shares: whose user it is, whether the password is right, and the token. */
export const entrance = ({ users, accounts, providers, sessions, lockout, passwordCost }: Services) => {
  /** Whether a user may come in at all, and to which tenant. */
  const standing = async (user: StoredUser) => {
    const account = user.account_sid ? await accounts.find({ all: true }, user.account_sid) : undefined
    // An account's provider is the one it has now, whatever the user's own row says.
    const provider_sid = account?.service_provider_sid ?? user.service_provider_sid
    const provider = provider_sid ? await providers.find({ all: true }, provider_sid) : undefined
    const scope: Scope = account ? 'account' : provider ? 'service_provider' : 'admin'
    return {
      active: user.is_active === 1 && (account === undefined || account.is_active === 1),
      tenancy: {
        scope: scope,
        ...(provider
          ? { service_provider_sid: provider.service_provider_sid, service_provider_name: provider.name }
          : {}),
        ...(account ? { account_sid: account.account_sid, account_name: account.name } : {}),
      },
    }
  }

  return {
    standing,

    /** Throws unless the password is that of the user, and counts the wrong ones. */
    async checkPassword(user: StoredUser | undefined, password: string): Promise<void> {
      if (user && (await lockout.shut(user.user_sid))) throw tooMany('later or reset your password.')
      const local = user?.provider === 'local' ? user : undefined
      // The hash is computed for unknown names too, so that the time of the answer tells nothing.
      if (await verifyPassword(local?.hashed_password, password, passwordCost)) return
      if (local && (await lockout.failed(local.user_sid))) throw tooMany(`in ${lockout.seconds} seconds.`)
      throw forbidden()
    },

    /** Opens a session for an active user; a right password before it, or a link, is the caller's business. */
    async admit(user: StoredUser) {
      const { active, tenancy } = await standing(user)
      if (!active) throw forbidden()
      const permissions = await users.permissionsOf(user.user_sid)
      const is_view_only = isViewOnly(permissions)
      const token = await sessions.open(user.user_sid, { ...tenancy, permissions, is_view_only, name: user.name })
      return { token, permissions, tenancy }
    },
  }
}

export type Entrance = ReturnType<typeof entrance>
