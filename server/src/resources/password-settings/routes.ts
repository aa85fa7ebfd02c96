import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { can } from '@trunkline/contract/policy/can'
import { findRefusal } from '@trunkline/contract/policy/refusal'
import { passwordSettings, savePasswordSettings } from '@trunkline/contract/resources/session'
import { passwordSettingsSchema, passwordSettingsChangesSchema } from '@trunkline/contract/shapes/session'
import { minPasswordLengthLimit } from '@trunkline/contract/session/password'
import { inExclusiveTransaction } from '../../db/exclusive-transaction'
import { mountRoute } from '../../http/mount-route'
import { refusalProblem } from '../../http/problem'
import type { Services } from '../../composition/services'

export const passwordSettingsRoutes = (
  app: FastifyInstance,
  { passwordRule, store }: Pick<Services, 'passwordRule' | 'store'>,
): void => {
  const { db } = store.database

  mountRoute(
    app,
    passwordSettings,
    { response: passwordSettingsSchema },
    async () => (await passwordRule.read()) ?? { min_password_length: minPasswordLengthLimit },
  )

  mountRoute(
    app,
    savePasswordSettings,
    { body: passwordSettingsChangesSchema, response: z.object({}) },
    async ({ body, actor }) => {
      if (!can(actor, 'update', 'password_settings'))
        throw refusalProblem(findRefusal('password_settings', 'update', actor.scope))
      const changes = Object.fromEntries(
        Object.entries(body)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => [name, Number(value)]),
      )
      // The table has no key that would prevent two parallel requests from inserting two rows.
      await inExclusiveTransaction(db, async (tx) => {
        const storedSettings = await tx.selectFrom('password_settings').selectAll().executeTakeFirst()
        if (!storedSettings)
          await tx
            .insertInto('password_settings')
            .values({ min_password_length: minPasswordLengthLimit, ...changes })
            .execute()
        else if (Object.keys(changes).length > 0) await tx.updateTable('password_settings').set(changes).execute()
      })
      return {}
    },
  )
}
