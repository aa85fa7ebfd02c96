import { messages } from '@trunkline/contract/messages/registration'
import type { Connection } from '../../db/repository-options'
import { toColumnTime } from '../../db/time'
import { badRequest, unprocessable } from '../../http/problem'
import { generateWebhookSecret } from '../../secrets/ids'
import type { Services } from '../../composition/services'
import { useInviteCode } from '../invite-codes/public'
import { createInitialSubscription, type InitialPlan } from '../plans/public'
import { insertSampleApplications } from './sample-applications'
import { releaseUnconfirmedAddress } from './unconfirmed-addresses'

const maxAccountNameLength = 64
const dayMs = 24 * 60 * 60 * 1000

/** The user who registers. The email address is confirmed: with a code, or by the identity provider. */
export interface NewUser {
  user_sid: string
  account_sid: string
  service_provider_sid: string
  /** In lower case. */
  email: string
  /** local, or an identity provider. */
  provider: string
  hashed_password?: string | null
  provider_userid?: string | null
}

export interface NewAccount extends NewUser {
  /** Required if the installation requires invite codes. */
  inviteCode?: string | null
}

export type CreationServices = Pick<
  Services,
  'accounts' | 'applications' | 'providers' | 'users' | 'emailChanges' | 'hostedEdition'
>

/** Appends a number if the name is a duplicate. The result has at most `maxLength` characters. */
const findFreeName = async (
  name: string,
  maxLength: number,
  isDuplicate: (name: string) => Promise<boolean>,
): Promise<string> => {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` ${number}`
    const candidate = name.slice(0, maxLength - suffix.length) + suffix
    if (!(await isDuplicate(candidate))) return candidate
  }
}

/**
 * Inserts a user with a confirmed email address, and returns the username: the address. Call it while users are locked.
 * Throws 422 if another user has the address.
 */
export const insertRegisteredUser = async (
  tx: Connection,
  { users, emailChanges }: Pick<Services, 'users' | 'emailChanges'>,
  { email, ...columns }: NewUser,
): Promise<string> => {
  await releaseUnconfirmedAddress(tx, { users, emailChanges }, email)
  if (await users.isDuplicate('email', email, '', tx)) throw unprocessable(messages.emailExists, 'email')
  const name = await findFreeName(email, 255, (candidate) => users.isDuplicate('name', candidate, '', tx))
  await users.insert({ ...columns, name, email, email_validated: 1, is_active: 1 }, tx)
  return name
}

/** An address that has registered before gets no second trial. Returns the plan of the new account. */
const recordSignUp = async (tx: Connection, email: string): Promise<InitialPlan> => {
  const previous = await tx.selectFrom('signup_history').select('email').where('email', '=', email).executeTakeFirst()
  if (previous) return 'free'
  await tx.insertInto('signup_history').values({ email, signed_up_at: toColumnTime() }).execute()
  return 'trial'
}

/**
 * Creates an account with its first user, subscription and sample applications, and returns the username. Call it in a
 * transaction: if it throws, nothing may be stored. Throws 422 if another user has the address, and 400 if the invite code
 * is missing or used.
 */
export const createRegisteredAccount = async (
  tx: Connection,
  services: CreationServices,
  { inviteCode, ...user }: NewAccount,
): Promise<string> => {
  const { accounts, applications, providers, users, hostedEdition } = services
  if (!hostedEdition) throw new Error('The hosted edition is disabled')
  const { account_sid, service_provider_sid, email } = user
  await users.lockUsers(tx)
  if (hostedEdition.requiresInviteCode && !(inviteCode && (await useInviteCode(tx, inviteCode))))
    throw badRequest(messages.invalidInviteCode, 'inviteCode')
  await providers.lockRow(service_provider_sid, tx)
  const name = await findFreeName(email, maxAccountNameLength, (candidate) =>
    accounts.isDuplicateName(candidate, service_provider_sid, undefined, tx),
  )
  const kind = await recordSignUp(tx, email)
  const { trial, sampleApplicationsUrl: url } = hostedEdition
  await accounts.insert(
    {
      account_sid,
      service_provider_sid,
      name,
      is_active: 1,
      plan_type: kind,
      trial_end_date: kind === 'trial' ? toColumnTime(new Date(Date.now() + trial.days * dayMs)) : null,
      webhook_secret: generateWebhookSecret(),
    },
    tx,
  )
  const username = await insertRegisteredUser(tx, services, user)
  await createInitialSubscription(tx, { account_sid, kind, trialCallSessions: trial.callSessions })
  if (url) await insertSampleApplications(tx, applications, { account_sid, url })
  return username
}
