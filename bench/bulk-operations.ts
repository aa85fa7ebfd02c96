import type { Browser } from '@playwright/test'
import type { ImportResponse } from '@trunkline/contract/shapes/phone-number'
import { DEFAULT_SERVICE_PROVIDER } from '../server/src/db/seed-data'
import { timeReorder, type Visit } from './browser'
import { ask } from './http'
import type { Deed } from './report'

const provider = `/v1/ServiceProviders/${DEFAULT_SERVICE_PROVIDER}`

const pageOf = async (path: string, { base, token }: Visit): Promise<Record<string, string>[]> =>
  (JSON.parse(await ask(base, { path, token })) as { data: Record<string, string>[] }).data

const firstCarrier = async (visit: Visit) =>
  (await pageOf(`${provider}/VoipCarriers?page=1&page_size=1`, visit))[0]!.voip_carrier_sid!

/** Changes many records at once. Each operation is slow, so it is measured once and must complete fully. */
export const deeds = async (base: string, token: string): Promise<Deed[]> => {
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
  const importing = async (write: 'nothing' | 'all') => {
    const body = { rows, write }
    const answer = JSON.parse(
      await ask(base, { method: 'POST', path: '/v1/PhoneNumbers/Import', token, body }),
    ) as ImportResponse
    const good = write === 'all' ? answer.written : answer.fates.filter(({ fate }) => fate === 'add').length
    if (good !== rows.length) throw new Error(`only ${good} of ${rows.length} rows of an import were valid`)
  }
  const done: Deed[] = []
  const time = async (name: string, target: number, run: () => Promise<unknown>) => {
    const since = performance.now()
    await run()
    done.push({ name, target, seconds: (performance.now() - since) / 1000 })
  }
  await time('assign an application to 10,000 numbers', 2, () => {
    const body = { phone_number_sids: numbers, application_sid: application!.application_sid! }
    return ask(base, { method: 'PUT', path: '/v1/PhoneNumbers', token, body })
  })
  await time('check 50,000 rows of an import', 20, () => importing('nothing'))
  await time('import 50,000 rows, all or none', 20, () => importing('all'))
  return done
}

/**
 * Reorders 1,000 outbound routes with the keyboard in a browser. Users do not notice delays below a tenth of a second.
 */
export const reordering = async (browser: Browser, visit: Visit): Promise<Deed[]> => {
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
  const { sid } = JSON.parse(await ask(visit.base, { method: 'POST', path: '/v1/Lcrs', token: visit.token, body })) as {
    sid: string
  }
  const { carried, dropped } = await timeReorder(browser, visit, sid)
  return [
    { name: 'move one of 1,000 routes by one position, key to paint', target: 0.1, seconds: carried / 1000 },
    { name: 'drop it there, key to paint', target: 0.1, seconds: dropped / 1000 },
  ]
}
