import { expect } from '@playwright/test'
import { createApiClient } from '../../scripts/launch/api'
import { startServer } from '../../scripts/launch/server'

/** One failed call per SIP status. The overview initially shows fewer of them. */
export const failureStatuses = [404, 408, 480, 486, 503, 603]

/** The number of calls older than a week: more than 100 pages. */
export const olderCallCount = 2600
/** A caller with a right-to-left name. */
export const rightToLeftName = 'مرحبا بالعالم الطويل جدا جدا جدا'
const dayMs = 24 * 3600 * 1000

/** Starts a server with today's calls of one account, which has a long name. */
export const startServerWithCalls = async () => {
  const server = await startServer({ ENABLE_INGEST: 'true' })
  const api = createApiClient(server.url, server.apiKey)
  const [provider] = await api.get<{ service_provider_sid: string }[]>('/ServiceProviders')
  const accountSid = await api.add('/Accounts', {
    name: 'Willowmere Golf and Country Club',
    service_provider_sid: provider!.service_provider_sid,
  })
  const now = Date.now()
  const callRecordLine = (index: number, isAnswered: boolean, status: number, agoMs = index) =>
    `cdrs,account_sid=${accountSid},direction=outbound,answered=${isAnswered},trunk=Harbour\\ Telecom call_sid="call-${index}",sip_status=${status}i,duration=${isAnswered ? 3599 : 0}i,from="16175550192",to="18575550100" ${now - agoMs}000000`
  const response = await fetch(`${server.url}/write?db=cdrs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.apiKey}` },
    body: [
      callRecordLine(0, true, 200),
      ...failureStatuses.map((status, index) => callRecordLine(index + 1, false, status)),
      callRecordLine(9, true, 200)
        .replace('16175550192', rightToLeftName)
        .replace('duration=', 'a_field_that_somebody_else_has_named=1i,duration='),
      ...Array.from({ length: olderCallCount }, (_, index) =>
        callRecordLine(index + 10, true, 200, index + 20 * dayMs),
      ),
    ].join('\n'),
  })
  expect(response.status).toBe(204)
  return server
}
