import type { Browser } from '@playwright/test'
import type { ImportResponse } from '@trunkline/contract/shapes/phone-number'
import { DEFAULT_SERVICE_PROVIDER } from '../server/src/db/seed-data'
import { measureReorder, type SignedInServer } from './browser'
import { sendRequest } from './http'
import type { OperationMeasurement } from './report'

const provider = `/v1/ServiceProviders/${DEFAULT_SERVICE_PROVIDER}`

const pageOf = async (path: string, { base, token }: SignedInServer): Promise<Record<string, string>[]> =>
  (JSON.parse(await sendRequest(base, { path, token })) as { data: Record<string, string>[] }).data

const firstCarrier = async (visit: SignedInServer) =>
  (await pageOf(`${provider}/VoipCarriers?page=1&page_size=1`, visit))[0]!.voip_carrier_sid!

/** Changes many records at once. Each operation is slow, so it is measured once and must complete fully. */
export const measureBulkOperations = async (base: string, token: string): Promise<OperationMeasurement[]> => {
  const visit = { base, token }
  const [application] = await pageOf(`${provider}/Applications?page=1&page_size=1&filter=Application%2000000`, visit)
  const numbers: string[] = []
  for (let page = 1; page <= 10; page++) {
    const query = `service_provider_sid=${DEFAULT_SERVICE_PROVIDER}&page=${page}&page_size=1000`
    numbers.push(...(await pageOf(`/v1/PhoneNumbers?${query}`, visit)).map((row) => row.phone_number_sid!))
  }
  const voip_carrier_sid = await firstCarrier(visit)
  const rows = Array.from({ length: 50_000 }, (_, at) => ({
    number: `4420${String(at).padStart(8, '0')}`,
    voip_carrier_sid,
    service_provider_sid: DEFAULT_SERVICE_PROVIDER,
  }))
  const importNumbers = async (write: 'nothing' | 'all') => {
    const body = { rows, write }
    const answer = JSON.parse(
      await sendRequest(base, { method: 'POST', path: '/v1/PhoneNumbers/Import', token, body }),
    ) as ImportResponse
    const validCount = write === 'all' ? answer.written : answer.fates.filter(({ fate }) => fate === 'add').length
    if (validCount !== rows.length) throw new Error(`only ${validCount} of ${rows.length} import rows were valid`)
  }
  const measurements: OperationMeasurement[] = []
  const time = async (name: string, target: number, run: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await run()
    measurements.push({ name, target, seconds: (performance.now() - startedAt) / 1000 })
  }
  await time('assign an application to 10,000 numbers', 2, () => {
    const body = { phone_number_sids: numbers, application_sid: application!.application_sid! }
    return sendRequest(base, { method: 'PUT', path: '/v1/PhoneNumbers', token, body })
  })
  await time('check 50,000 rows of an import', 20, () => importNumbers('nothing'))
  await time('import 50,000 rows, all or none', 20, () => importNumbers('all'))
  return measurements
}

/**
 * Reorders 1,000 outbound routes with the keyboard in a browser. Users do not notice delays below a tenth of a second.
 */
export const measureReorderedRoutes = async (
  browser: Browser,
  visit: SignedInServer,
): Promise<OperationMeasurement[]> => {
  const voip_carrier_sid = await firstCarrier(visit)
  const route = (regex: string, priority: number) => ({
    regex,
    priority,
    lcr_carrier_set_entries: [{ voip_carrier_sid }],
  })
  const routes = Array.from({ length: 1000 }, (_, at) => route(`^${100_000 + at}[0-9]`, at))
  const body = {
    name: 'Thousand',
    service_provider_sid: DEFAULT_SERVICE_PROVIDER,
    routes: [...routes, route('.*', 9999)],
  }
  const { sid } = JSON.parse(
    await sendRequest(visit.base, { method: 'POST', path: '/v1/Lcrs', token: visit.token, body }),
  ) as {
    sid: string
  }
  const { moveMs, dropMs } = await measureReorder(browser, visit, sid)
  return [
    { name: 'move one of 1,000 routes by one position, key to paint', target: 0.1, seconds: moveMs / 1000 },
    { name: 'drop the route, key to paint', target: 0.1, seconds: dropMs / 1000 },
  ]
}
