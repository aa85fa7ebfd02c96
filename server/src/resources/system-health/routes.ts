import type { FastifyInstance } from 'fastify'
import { systemHealth } from '@trunkline/contract/resources/system-health'
import { systemHealthSchema } from '@trunkline/contract/shapes/system-health'
import type { Services } from '../../composition/services'
import { mountRoute } from '../../http/mount-route'
import { checkTenantAccess } from '../../http/tenant-access'

/** The checks of `npm run doctor`, with the connections of this server. */
export const systemHealthRoutes = (
  app: FastifyInstance,
  { readSystemHealth }: Pick<Services, 'readSystemHealth'>,
  { version }: { version: string },
): void => {
  mountRoute(app, systemHealth, { response: systemHealthSchema }, async ({ actor }) => {
    checkTenantAccess(actor, 'read', 'system_health')
    return { version, ...(await readSystemHealth()) }
  })
}
