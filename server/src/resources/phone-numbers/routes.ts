import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod'
import { listQuerySchema, listResponseSchema } from '@trunkline/contract/kit/fields'
import type { Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import {
  assignApplication,
  importNumbers,
  phoneNumber,
  phoneNumbersOfProvider,
} from '@trunkline/contract/resources/phone-number'
import {
  assignmentSchema,
  assignmentResponseSchema,
  phoneNumberDraftSchema,
  importResponseSchema,
  importSchema,
  phoneNumberSchema,
  phoneNumberChangesSchema,
  type PhoneNumber,
} from '@trunkline/contract/shapes/phone-number'
import { containsText, type ListOptions, type WithOwner } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { mountRoute } from '../../http/mount-route'
import { notFoundWithoutBody, notFound } from '../../http/problem'
import { findPermitted, listRecords, resourceRoutes } from '../../http/resource-routes'
import type { Services } from '../../composition/services'
import { lockApplications, lockApplicationUse } from '../../shared/application-lock'
import { unknownReference } from '../../shared/refusals'
import { evaluateRows, presentOutcome } from './import'
import { createLookups, memoizeLookups, createNumberRules, duplicateNumber, type Lookups } from './rules'

/** Enough for 10,000 SIDs. */
const maxAssignmentBytes = 512 * 1024

/** Enough for 50,000 rows with a number and three SIDs each. */
const maxImportBytes = 16 * 1024 * 1024

/** The filters by carrier and application are additions to the version 1 API. */
const getListOptions = ({
  filter,
  account_sid,
  service_provider_sid,
  voip_carrier_sid,
  application_sid,
}: z.output<typeof listQuerySchema>): ListOptions => ({
  ...(service_provider_sid ? { provider: service_provider_sid } : {}),
  text: filter ? containsText(sql`t.number`, filter) : undefined,
  where: Object.entries({ account_sid, voip_carrier_sid, application_sid }).flatMap(([column, sid]) =>
    sid ? [sql`${sql.ref(`t.${column}`)} = ${sid}`] : [],
  ),
})

export const phoneNumberRoutes = (
  app: FastifyInstance,
  services: Pick<
    Services,
    'store' | 'phoneNumbers' | 'providers' | 'quotas' | 'voipCarriers' | 'applications' | 'accounts'
  >,
  adminCarrier: boolean,
): void => {
  const { store, phoneNumbers, providers, quotas, applications } = services

  const lookups = createLookups(services)
  const rules = createNumberRules(lookups, adminCarrier)

  resourceRoutes(app, phoneNumber, phoneNumbers, {
    rowSchema: phoneNumberSchema,
    createBody: phoneNumberDraftSchema,
    updateBody: phoneNumberChangesSchema,
    missing: { read: notFoundWithoutBody, update: notFound },
    listOptions: getListOptions,
    ownerOf: rules.ownerOf,
    insertRow: async (draft, phone_number_sid, actor) => {
      const values = await rules.resolveDraft(draft, actor)
      if (await phoneNumbers.isDuplicate(values.number, values.voip_carrier_sid)) throw duplicateNumber()
      await withTransaction(store.database.db, async (tx) => {
        await lockApplications(applications, [values], tx)
        await quotas.check('phone_number', actor, 1, tx)
        await phoneNumbers.insert({ ...values, phone_number_sid }, tx)
      })
    },
    updateRow: async (current: WithOwner<PhoneNumber>, changes, actor) => {
      const values = await rules.resolveChanges(current, changes, actor)
      await withTransaction(store.database.db, async (tx) => {
        const sid = current.phone_number_sid
        await lockApplicationUse({ applications, records: phoneNumbers }, { sid, current, values }, tx)
        await phoneNumbers.update(sid, values, tx)
      })
    },
  })

  mountRoute(
    app,
    phoneNumbersOfProvider,
    { query: listQuerySchema, response: listResponseSchema(phoneNumberSchema) },
    async ({ params, query, actor }) => {
      await findPermitted(
        { kind: 'service_provider', repository: providers },
        'read',
        actor,
        params.service_provider_sid,
      )
      return listRecords(phoneNumbers, 'phone_number', { ...query, ...params }, actor, getListOptions)
    },
  )

  bulkRoutes(app, services, lookups, adminCarrier)
}

/** Routes that change many numbers at once. */
const bulkRoutes = (
  app: FastifyInstance,
  { phoneNumbers, quotas, applications }: Pick<Services, 'phoneNumbers' | 'quotas' | 'applications'>,
  lookups: Lookups,
  adminCarrier: boolean,
): void => {
  mountRoute(
    app,
    assignApplication,
    { body: assignmentSchema, response: assignmentResponseSchema, bodyLimit: maxAssignmentBytes },
    async ({ body, actor }) => {
      const requestedSids = [...new Set(body.phone_number_sids)]
      const rows = await phoneNumbers.findMany(requestedSids)
      const { application_sid } = body
      const { checkApplication } = createNumberRules(lookups, adminCarrier)
      // Numbers of other tenants are reported as unknown.
      const permittedNumbers = rows.filter(({ owner }) => can(actor, 'update', 'phone_number', owner))
      if (permittedNumbers.length === 0) throw unknownReference('phone_number_sid', 'phone_number_sids')
      for (const owner of getDistinctOwners(permittedNumbers.map((number) => number.owner)))
        await checkApplication(application_sid, owner)
      const sids = permittedNumbers.map(({ phone_number_sid }) => phone_number_sid)
      const uses = permittedNumbers.map(({ account_sid }) => ({ application_sid, account_sid }))
      await phoneNumbers.assignApplication(permittedNumbers, application_sid, (tx) =>
        lockApplications(applications, uses, tx),
      )
      const permittedSids = new Set(sids)
      return { changed: sids.length, unknown_sids: requestedSids.filter((sid) => !permittedSids.has(sid)) }
    },
  )

  mountRoute(
    app,
    importNumbers,
    { body: importSchema, response: importResponseSchema, bodyLimit: maxImportBytes },
    async ({ body: { rows, write }, actor }) => {
      const rules = createNumberRules(memoizeLookups(lookups), adminCarrier)
      const outcomes = await evaluateRows(rows, actor, rules, phoneNumbers)
      const additions = outcomes.flatMap((outcome) => (outcome.fate === 'add' ? [outcome.values] : []))
      const changes = outcomes.flatMap((outcome) => (outcome.fate === 'change' ? [outcome] : []))
      const checkQuota = (tx?: Connection) => quotas.check('phone_number', actor, additions.length, tx)
      const check = async (tx: Connection) => {
        await lockApplications(applications, [...additions, ...changes.map(({ updated }) => updated)], tx)
        await checkQuota(tx)
      }
      const shouldWrite = write === 'valid' || (write === 'all' && outcomes.every(({ fate }) => fate !== 'wrong'))
      await (shouldWrite ? phoneNumbers.write(additions, changes, check) : checkQuota())
      return { fates: outcomes.map(presentOutcome), written: shouldWrite ? additions.length + changes.length : 0 }
    },
  )
}

const getDistinctOwners = (owners: Owner[]): Owner[] => [
  ...new Map(owners.map((owner) => [`${owner.account_sid} ${owner.service_provider_sid}`, owner])).values(),
]
