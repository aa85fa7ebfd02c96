import type { FastifyInstance } from 'fastify'
import { accountTest } from '@trunkline/contract/resources/account-test'
import * as shapes from '@trunkline/contract/shapes/account-test'
import { mountRoute } from '../../http/mount-route'
import { notFound } from '../../http/problem'
import type { Services } from '../../services'

/** As many of each as somebody may want to try: nobody reads out a provider's whole stock here. */
const maxRecords = 100

/** What a provider keeps for trying: rows that are its own and no account's. */
export const accountTestRoutes = (app: FastifyInstance, { store }: Services): void => {
  const { db } = store.database

  mountRoute(app, accountTest, { answer: shapes.accountTest, checkSids: false }, async ({ params }) => {
    const { service_provider_sid } = params
    const owner = { service_provider_sid, account_sid: null }
    const [numberRows, applicationRows] = await Promise.all([
      db
        .selectFrom('phone_numbers')
        .select(['phone_number_sid', 'number', 'application_sid'])
        .where('service_provider_sid', '=', service_provider_sid)
        .where('account_sid', 'is', null)
        .orderBy('number')
        .limit(maxRecords)
        .execute(),
      db
        .selectFrom('applications')
        .select(['application_sid', 'name'])
        .where('service_provider_sid', '=', service_provider_sid)
        .where('account_sid', 'is', null)
        .orderBy('name')
        .limit(maxRecords)
        .execute(),
    ])
    if (numberRows.length === 0 && applicationRows.length === 0) throw notFound()
    const applications = applicationRows.map((row) => ({ ...row, ...owner }))
    // one that leads into an account would tell of that account
    const applicationSids = new Set(applications.map(({ application_sid }) => application_sid))
    const phonenumbers = numberRows.map(({ application_sid, ...row }) => ({
      ...row,
      application_sid: application_sid && applicationSids.has(application_sid) ? application_sid : null,
      ...owner,
    }))
    return { phonenumbers, applications }
  })
}
