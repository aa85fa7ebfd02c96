import { messages } from '@trunkline/contract/messages/password'
import { findPasswordRefusal, type PasswordRule } from '@trunkline/contract/session/password'
import type { Store } from '../../db/repository'
import { badRequest } from '../../http/problem'
import { isCommonPassword } from '../../secrets/common-passwords'

/** The password rule of the installation. */
export const createPasswordRule = ({ database: { db } }: Store) => ({
  /** The stored rule. Undefined if none was set. */
  read: (): Promise<PasswordRule | undefined> => db.selectFrom('password_settings').selectAll().executeTakeFirst(),

  /** Throws 400 with the first unmet requirement. */
  async check(password: string, field: string): Promise<void> {
    const refusal = findPasswordRefusal(password, await this.read())
    if (refusal) throw badRequest(refusal, field)
    if (isCommonPassword(password)) throw badRequest(messages.common, field)
  },
})

export type PasswordRuleService = ReturnType<typeof createPasswordRule>
