import type { Metrics } from '../metrics/metrics'
import { countWaitingPasswords } from '../secrets/password'
import type { Telemetry } from '../telemetry/telemetry'
import type { Services } from './services'

/** The sizes of the queues in memory. The queues of captures and of mail belong to other readings. */
const addQueueReadings = (
  addReading: Metrics['addReading'],
  { callHistory, traceStore }: Pick<Services, 'callHistory' | 'traceStore'>,
): void => {
  addReading('trunkline_passwords_waiting', 'gauge', 'Passwords that wait to be checked.', countWaitingPasswords)
  const { getQueueSize } = callHistory
  if (getQueueSize)
    addReading('trunkline_points_waiting', 'gauge', 'Call records and alerts that wait to be stored.', getQueueSize)
  if (traceStore)
    addReading('trunkline_trace_bytes_waiting', 'gauge', 'Bytes of traces of calls that wait to be stored.', () =>
      traceStore.getQueueSize(),
    )
}

/** What the services tell Prometheus when it asks. */
export const addServiceReadings = ({ addReading }: Metrics, services: Services): void => {
  const { outbox, readiness, store, cache } = services
  const { counts } = store.listCache
  addReading('trunkline_list_cache_hits_total', 'counter', 'Lists that were in the cache.', () => counts.hits)
  addReading('trunkline_list_cache_misses_total', 'counter', 'Lists that had to be loaded.', () => counts.misses)
  addReading('trunkline_emails_pending', 'gauge', 'E-mails that are not sent yet.', () => outbox.countPending())
  addQueueReadings(addReading, services)
  addReading('trunkline_database_up', 'gauge', 'Whether the database accepts a write.', async () =>
    Number((await readiness()).database),
  )
  addReading('trunkline_storage_up', 'gauge', 'Whether the data folder has free space.', async () =>
    Number((await readiness()).storage),
  )
  if (cache.isShared)
    addReading('trunkline_redis_up', 'gauge', 'Whether Redis answers.', () =>
      cache.get('trunkline-metrics').then(
        () => 1,
        () => 0,
      ),
    )
}

/** The size of the queue of captured messages. */
export const addCaptureReadings = ({ addReading }: Metrics, { getQueueSize }: { getQueueSize: () => number }): void =>
  addReading(
    'trunkline_capture_bytes_waiting',
    'gauge',
    'Bytes of captured messages that wait to be stored.',
    getQueueSize,
  )

/** How many spans of the server the collector has received. */
export const addTelemetryReadings = ({ addReading }: Metrics, { counts }: Telemetry): void => {
  addReading('trunkline_spans_sent_total', 'counter', 'Spans that the collector has received.', () => counts.sent)
  addReading('trunkline_spans_dropped_total', 'counter', 'Spans that could not be sent.', () => counts.dropped)
}
