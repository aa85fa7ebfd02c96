import { fullReach } from '@trunkline/contract/policy/can'
import type { Scope } from '@trunkline/contract/policy/actor'
import { trialExpiredReason } from '@trunkline/contract/billing/plan-state'
import { messages } from '@trunkline/contract/messages/session'
import type { Account } from '@trunkline/contract/shapes/account'
import { forbidden } from '../../http/problem'
import { verifyPassword } from '../../secrets/password'
import { LockedOutProblem } from './sign-in-log'
import type { Services } from '../../composition/services'
import { isViewOnly, type StoredUser } from '../users/public'

const attemptLimitProblem = (retryHint: string) =>
  new LockedOutProblem(403, { error: `Maximum login attempts reached. Please try again ${retryHint}` })

const rateLimitProblem = (waitSeconds: number) =>
  new LockedOutProblem(
    429,
    { error: messages.tooManyAttempts, msg: messages.tooManyAttempts },
    { 'retry-after': String(waitSeconds) },
  )

/** A sign-in attempt with a password. If no user has the entered name, its failures are counted by `name`. */
export interface PasswordAttempt {
  user: StoredUser | undefined
  name: string
  password: string
  ip: string
}

export type AuthenticatorServices = Pick<
  Services,
  'users' | 'accounts' | 'providers' | 'sessions' | 'lockout' | 'passwordCost'
>

/** Users of an account whose trial has ended may sign in, to upgrade. Its API keys do not work. */
const acceptsUsers = ({ is_active, deactivated_reason }: Pick<Account, 'is_active' | 'deactivated_reason'>) =>
  is_active === 1 || deactivated_reason === trialExpiredReason

/** The steps that sign-in by name and by email share: tenant, password check and session token. */
export const createAuthenticator = ({
  users,
  accounts,
  providers,
  sessions,
  lockout,
  passwordCost,
}: AuthenticatorServices) => {
  /** Finds the user's tenant, and whether both the user and the account are active. */
  const findMembership = async (user: StoredUser) => {
    const account = user.account_sid ? await accounts.find(fullReach, user.account_sid) : undefined
    // The account's current provider counts, not the one in the user's row.
    const providerSid = account?.service_provider_sid ?? user.service_provider_sid
    const provider = providerSid ? await providers.find(fullReach, providerSid) : undefined
    const scope: Scope = account ? 'account' : provider ? 'service_provider' : 'admin'
    return {
      isActive: user.is_active === 1 && (account === undefined || acceptsUsers(account)),
      tenancy: {
        scope,
        ...(provider
          ? { service_provider_sid: provider.service_provider_sid, service_provider_name: provider.name }
          : {}),
        ...(account ? { account_sid: account.account_sid, account_name: account.name } : {}),
      },
    }
  }

  return {
    findMembership,

    /** Throws 429 if this network has sent too many wrong passwords, for any users. */
    async checkNetwork(ip: string): Promise<void> {
      const waitSeconds = await lockout.reserveAttempt(ip)
      if (waitSeconds > 0) throw rateLimitProblem(waitSeconds)
    },

    /** Throws unless the user has this password. An unknown name causes the same responses, after the same computation. */
    async checkPassword({ user, name, password, ip }: PasswordAttempt): Promise<void> {
      const hashedPassword = user?.provider === 'local' ? user.hashed_password : undefined
      const result = await lockout.attempt(user?.user_sid ?? name, ip, () =>
        verifyPassword(hashedPassword, password, passwordCost),
      )
      if (result === 'locked') throw attemptLimitProblem('later or reset your password.')
      if (result === 'newly-locked') throw attemptLimitProblem(`in ${lockout.lockSeconds} seconds.`)
      if (result === 'incorrect') throw forbidden()
    },

    /** Opens a session for an active user. The caller has checked the password or the link. */
    async openSession(user: StoredUser) {
      const { isActive, tenancy } = await findMembership(user)
      if (!isActive) throw forbidden()
      const permissions = await users.permissionsOf(user.user_sid)
      const is_view_only = isViewOnly(permissions)
      const token = await sessions.open(user.user_sid, { ...tenancy, permissions, is_view_only, name: user.name })
      return { token, permissions, tenancy }
    },
  }
}

export type Authenticator = ReturnType<typeof createAuthenticator>
