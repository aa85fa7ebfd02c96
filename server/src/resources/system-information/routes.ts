import type { FastifyInstance } from 'fastify'
import { saveSystemInformation, systemInformation } from '@trunkline/contract/resources/system-information'
import { systemInformationSchema, systemInformationChangesSchema } from '@trunkline/contract/shapes/system-information'
import { inExclusiveTransaction } from '../../db/exclusive-transaction'
import type { Connection } from '../../db/repository-options'
import { mountRoute } from '../../http/mount-route'
import { checkTenantAccess } from '../../http/tenant-access'
import type { Services } from '../../composition/services'

export const systemInformationRoutes = (app: FastifyInstance, { store }: Pick<Services, 'store'>): void => {
  const { db } = store.database
  const readRow = (connection: Connection) => connection.selectFrom('system_information').selectAll().executeTakeFirst()

  mountRoute(app, systemInformation, { response: systemInformationSchema }, async ({ actor }) => {
    checkTenantAccess(actor, 'read', 'system_information')
    return (await readRow(db)) ?? {}
  })

  const saveSchemas = { body: systemInformationChangesSchema, response: systemInformationSchema }
  mountRoute(app, saveSystemInformation, saveSchemas, ({ body, actor }) => {
    checkTenantAccess(actor, 'update', 'system_information')
    // The table has no key that would prevent two parallel requests from inserting two rows.
    return inExclusiveTransaction(db, async (connection) => {
      if (!(await readRow(connection)))
        await connection
          .insertInto('system_information')
          .values({ log_level: 'info', ...body })
          .execute()
      else if (Object.keys(body).length > 0) await connection.updateTable('system_information').set(body).execute()
      return (await readRow(connection)) ?? {}
    })
  })
}
