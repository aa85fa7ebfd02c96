import type { FastifyInstance } from 'fastify'
import { recordCounts } from '@trunkline/contract/resources/record-counts'
import {
  recordCountsQuerySchema,
  recordCountsSchema,
  type CountFigure,
  type RecordCounts,
} from '@trunkline/contract/shapes/record-counts'
import type { Services } from '../../composition/services'
import { mountRoute } from '../../http/mount-route'
import { TooManyRecordsError } from '../../ports/call-history'
import { noPlatform } from '../../ports/live-platform'
import { UnavailableError } from '../../ports/service-errors'
import { countCalls } from './calls'
import { createLiveCallCounter } from './live-calls'
import { createRecordCountRepository } from './repository'

type Counts = RecordCounts[string]

/** The other figures are useful without those of a service that does not respond. */
const leaveOutIfUnavailable = async (counts: Promise<Counts[]>): Promise<Counts[]> => {
  try {
    return await counts
  } catch (error) {
    if (error instanceof UnavailableError || error instanceof TooManyRecordsError) return []
    throw error
  }
}

/** Counts the phone numbers and calls of the rows of a list. A figure costs one query for all rows, not one per row. */
export const recordCountRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'store' | 'callHistory' | 'livePlatform' | 'accounts' | 'limits'>,
): void => {
  const { store, callHistory, livePlatform } = services
  const repository = createRecordCountRepository(store)
  const countLiveCalls = createLiveCallCounter(services)

  mountRoute(
    app,
    recordCounts,
    { query: recordCountsQuerySchema, response: recordCountsSchema },
    async ({ query: { kind, sids, figures }, actor }) => {
      const isRequested = (figure: CountFigure) => figures?.includes(figure) ?? true
      const records = await repository.listRecords(kind, sids, actor)
      if (records.length === 0) return {}
      const hasLiveCalls = kind === 'account' && livePlatform !== noPlatform
      const figuresOfRecords = await Promise.all([
        ...(isRequested('phone_numbers') && kind !== 'phone_number'
          ? [repository.countNumbers(kind, records, actor)]
          : []),
        ...(isRequested('calls') ? [leaveOutIfUnavailable(countCalls(callHistory, kind, records, actor))] : []),
        ...(isRequested('live_calls') && hasLiveCalls ? [leaveOutIfUnavailable(countLiveCalls(records, actor))] : []),
      ])
      return Object.fromEntries(
        records.map(({ sid }, index): [string, Counts] => [
          sid,
          figuresOfRecords.reduce<Counts>((counts, figureCounts) => ({ ...counts, ...figureCounts[index] }), {}),
        ]),
      )
    },
  )
}
