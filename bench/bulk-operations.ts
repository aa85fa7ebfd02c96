import type { Browser } from '@playwright/test'
import type { ImportResponse } from '@trunkline/contract/shapes/phone-number'
import { defaultServiceProviderSid } from '../server/src/db/seed-data'
import { measureReorder, type SignedInServer } from './browser'
import { providerPath, sendRequest } from './http'
import type { OperationMeasurement } from './report'

const readPage = async (path: string, { base, token }: SignedInServer): Promise<Record<string, string>[]> =>
  (JSON.parse(await sendRequest(base, { path, token })) as { data: Record<string, string>[] }).data

const readFirstCarrierSid = async (server: SignedInServer) =>
  (await readPage(`${providerPath}/VoipCarriers?page=1&page_size=1`, server))[0]!.voip_carrier_sid!

/** Changes many records at once. Each operation is slow, so it is measured once and must complete fully. */
export const measureBulkOperations = async (base: string, token: string): Promise<OperationMeasurement[]> => {
  const server = { base, token }
  const [application] = await readPage(
    `${providerPath}/Applications?page=1&page_size=1&filter=Application%2000000`,
    server,
  )
  const numberSids: string[] = []
  for (let page = 1; page <= 10; page++) {
    const query = `service_provider_sid=${defaultServiceProviderSid}&page=${page}&page_size=1000`
    numberSids.push(...(await readPage(`/v1/PhoneNumbers?${query}`, server)).map((row) => row.phone_number_sid!))
  }
  const voip_carrier_sid = await readFirstCarrierSid(server)
  const rows = Array.from({ length: 50_000 }, (_, index) => ({
    number: `4420${String(index).padStart(8, '0')}`,
    voip_carrier_sid,
    service_provider_sid: defaultServiceProviderSid,
  }))
  const importNumbers = async (write: 'nothing' | 'all') => {
    const body = { rows, write }
    const importResponse = JSON.parse(
      await sendRequest(base, { method: 'POST', path: '/v1/PhoneNumbers/Import', token, body }),
    ) as ImportResponse
    const validCount =
      write === 'all' ? importResponse.written : importResponse.fates.filter(({ fate }) => fate === 'add').length
    if (validCount !== rows.length) throw new Error(`only ${validCount} of ${rows.length} import rows were valid`)
  }
  const measurements: OperationMeasurement[] = []
  const measureOperation = async (name: string, targetSeconds: number, run: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await run()
    measurements.push({ name, targetSeconds, seconds: (performance.now() - startedAt) / 1000 })
  }
  await measureOperation('assign an application to 10,000 numbers', 2, () => {
    const body = { phone_number_sids: numberSids, application_sid: application!.application_sid! }
    return sendRequest(base, { method: 'PUT', path: '/v1/PhoneNumbers', token, body })
  })
  await measureOperation('check 50,000 rows of an import', 20, () => importNumbers('nothing'))
  await measureOperation('import 50,000 rows, all or none', 20, () => importNumbers('all'))
  return measurements
}

/**
 * Reorders 1,000 outbound routes with the keyboard in a browser. Users do not notice delays below a tenth of a second.
 */
export const measureReorderedRoutes = async (
  browser: Browser,
  server: SignedInServer,
): Promise<OperationMeasurement[]> => {
  const voip_carrier_sid = await readFirstCarrierSid(server)
  const route = (regex: string, priority: number) => ({
    regex,
    priority,
    lcr_carrier_set_entries: [{ voip_carrier_sid }],
  })
  const routes = Array.from({ length: 1000 }, (_, index) => route(`^${100_000 + index}[0-9]`, index))
  const body = {
    name: 'Thousand',
    service_provider_sid: defaultServiceProviderSid,
    routes: [...routes, route('.*', 9999)],
  }
  const { sid } = JSON.parse(
    await sendRequest(server.base, { method: 'POST', path: '/v1/Lcrs', token: server.token, body }),
  ) as {
    sid: string
  }
  const { moveMs, dropMs } = await measureReorder(browser, server, sid)
  return [
    {
      name: 'move one of 1,000 routes by one position, from key press to paint',
      targetSeconds: 0.1,
      seconds: moveMs / 1000,
    },
    { name: 'release the moved route, from key press to paint', targetSeconds: 0.1, seconds: dropMs / 1000 },
  ]
}
