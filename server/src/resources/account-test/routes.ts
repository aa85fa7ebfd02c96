import type { FastifyInstance } from 'fastify'
import { accountTest } from '@trunkline/contract/resources/account-test'
import * as shapes from '@trunkline/contract/shapes/account-test'
import { mountRoute } from '../../http/mount-route'
import { notFound } from '../../http/problem'
import type { Services } from '../../composition/services'

/** For each of the two lists. The route is public, so it must not reveal all records of a provider. */
const maxRows = 100

/** The phone numbers and applications that anyone may test: those that belong to the provider and to no account. */
export const accountTestRoutes = (app: FastifyInstance, { store }: Services): void => {
  const { db } = store.database

  mountRoute(
    app,
    accountTest,
    { response: shapes.accountTestSchema, requiresWellFormedSids: false },
    async ({ params }) => {
      const { service_provider_sid } = params
      const owner = { service_provider_sid, account_sid: null }
      const [numberRows, applicationRows] = await Promise.all([
        db
          .selectFrom('phone_numbers')
          .select(['phone_number_sid', 'number', 'application_sid'])
          .where('service_provider_sid', '=', service_provider_sid)
          .where('account_sid', 'is', null)
          .orderBy('number')
          .limit(maxRows)
          .execute(),
        db
          .selectFrom('applications')
          .select(['application_sid', 'name'])
          .where('service_provider_sid', '=', service_provider_sid)
          .where('account_sid', 'is', null)
          .orderBy('name')
          .limit(maxRows)
          .execute(),
      ])
      if (numberRows.length === 0 && applicationRows.length === 0) throw notFound()
      const applications = applicationRows.map((row) => ({ ...row, ...owner }))
      // The SID of an account's application would reveal that account.
      const applicationSids = new Set(applications.map(({ application_sid }) => application_sid))
      const phonenumbers = numberRows.map(({ application_sid, ...row }) => ({
        ...row,
        application_sid: application_sid && applicationSids.has(application_sid) ? application_sid : null,
        ...owner,
      }))
      return { phonenumbers, applications }
    },
  )
}
