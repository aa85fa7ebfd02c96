import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { messages } from '@trunkline/contract/messages/saved-view'
import type { Actor } from '@trunkline/contract/policy/actor'
import { savedView } from '@trunkline/contract/resources/saved-view'
import * as shapes from '@trunkline/contract/shapes/saved-view'
import type { Services } from '../../composition/services'
import { withTransaction } from '../../db/transaction'
import type { Connection } from '../../db/repository-options'
import { mountRoute } from '../../http/mount-route'
import { badRequest, forbidden, notFound, unprocessable } from '../../http/problem'

/** The maximum number of views of a user, on all lists. */
export const maxViewsPerUser = 200

const getUserSid = ({ user_sid }: Actor): string => {
  if (!user_sid) throw forbidden(messages.noUser)
  return user_sid
}

/** The saved views of the signed-in user. */
export const savedViewRoutes = (
  app: FastifyInstance,
  { store, savedViews }: Pick<Services, 'store' | 'savedViews'>,
): void => {
  const inUserTransaction = <T>(user_sid: string, work: (tx: Connection) => Promise<T>): Promise<T> =>
    withTransaction(store.database.db, async (tx) => {
      if (!(await savedViews.lockUser(user_sid, tx))) throw forbidden()
      return work(tx)
    })

  const { savedViewQuerySchema: query, savedViewSchema } = shapes
  mountRoute(app, savedView.list, { query, response: z.array(savedViewSchema) }, ({ query: { list }, actor }) =>
    savedViews.list(getUserSid(actor), list),
  )

  const createSchemas = { body: shapes.savedViewDraftSchema, response: shapes.createdSavedViewSchema }
  mountRoute(app, savedView.create, createSchemas, async ({ body, actor }) => {
    const user_sid = getUserSid(actor)
    return inUserTransaction(user_sid, async (tx) => {
      if ((await savedViews.count(user_sid, tx)) >= maxViewsPerUser)
        throw unprocessable(messages.tooMany(maxViewsPerUser))
      if (await savedViews.isDuplicate({ user_sid, ...body }, tx)) throw badRequest(messages.duplicateName, 'name')
      return { sid: await savedViews.insert(user_sid, body, tx) }
    })
  })

  mountRoute(app, savedView.update, { body: shapes.savedViewChangesSchema }, async ({ params, body, actor }) => {
    const user_sid = getUserSid(actor)
    if (body.name === undefined && body.query === undefined) throw badRequest('no updates requested')
    await inUserTransaction(user_sid, async (tx) => {
      const current = await savedViews.find(user_sid, params.saved_view_sid, tx)
      if (!current) throw notFound()
      const { list } = current
      const { name = current.name } = body
      if (await savedViews.isDuplicate({ user_sid, list, name, exceptSid: current.saved_view_sid }, tx))
        throw badRequest(messages.duplicateName, 'name')
      await savedViews.update(current.saved_view_sid, body, tx)
    })
  })

  mountRoute(app, savedView.remove, {}, async ({ params, actor }) => {
    if (!(await savedViews.remove(getUserSid(actor), params.saved_view_sid))) throw notFound()
  })
}
