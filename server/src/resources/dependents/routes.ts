import type { FastifyInstance } from 'fastify'
import { hasDependents, recordDependents, type KindWithDependents } from '@trunkline/contract/resources/dependents'
import { recordDependentsSchema } from '@trunkline/contract/shapes/dependents'
import { mountRoute } from '../../http/mount-route'
import { notFound } from '../../http/problem'
import { findPermitted, type RecordSource } from '../../http/resource-routes'
import type { Services } from '../../composition/services'
import { createDependentRepository } from './repository'

type DependentServices = Pick<
  Services,
  'store' | 'providers' | 'accounts' | 'applications' | 'voipCarriers' | 'speechCredentials'
>

/** Lists what uses a record that the actor may read. */
export const dependentRoutes = (app: FastifyInstance, services: DependentServices): void => {
  const dependents = createDependentRepository(services.store)
  const repositories: Record<KindWithDependents, RecordSource<object>['repository']> = {
    service_provider: services.providers,
    account: services.accounts,
    application: services.applications,
    voip_carrier: services.voipCarriers,
    speech_credential: services.speechCredentials,
  }

  mountRoute(app, recordDependents, { response: recordDependentsSchema }, async ({ params, actor }) => {
    const { kind, record_sid } = params
    if (!hasDependents(kind)) throw notFound()
    await findPermitted({ kind, repository: repositories[kind] }, 'read', actor, record_sid)
    return { dependents: await dependents.listDependents(kind, record_sid, actor) }
  })
}
