import { randomUUID } from 'node:crypto'
import type { TestServer } from '../scripts/launch/server'
import { checkIntegrity } from '../scripts/launch/database'
import { send, sendOk } from './http'
import type { ProofResult } from './proof'
import type { Random } from './random'

type Row = Record<string, unknown>

/** The acknowledged writes, and the possible states of a record whose last change was not acknowledged. */
interface Ledger {
  accounts: Set<string>
  calls: Set<string>
  numbers: Set<string>
  /** By SID: the acknowledged generation, and the latest one sent. */
  carriers: Map<string, { acknowledged: number; attempted: number }>
  lcrs: Map<string, { acknowledged: number; attempted: number }>
}

interface CrashFixture {
  admin: string
  account: string
  provider: string
}

/** The number of gateways or routes in a generation, so that a mix of two generations is visible. */
const rowCountOf = (generation: number) => (generation % 5) + 2

const gatewaysOf = (generation: number) =>
  Array.from({ length: rowCountOf(generation) }, (_, index) => ({
    ipv4: `10.${generation % 250}.0.${index + 1}`,
    port: 5060,
    inbound: 1,
    outbound: 1,
  }))

const routesOf = (generation: number, carrier: string) =>
  Array.from({ length: rowCountOf(generation) }, (_, index) => ({
    regex: `^${generation}${index}`,
    priority: index,
    lcr_carrier_set_entries: [{ voip_carrier_sid: carrier, workload: 1, priority: 1 }],
  }))

/** Creates functions that each do one kind of write. They run repeatedly until the server is killed. */
const createWriters = (url: string, { admin, account, provider }: CrashFixture, ledger: Ledger, random: Random) => {
  const addAccount = async () => {
    const { sid } = await sendOk(url, admin, 'POST', '/v1/Accounts', {
      name: `account ${randomUUID()}`,
      service_provider_sid: provider,
    })
    ledger.accounts.add(sid)
  }
  const addCalls = async () => {
    const sids = Array.from({ length: 20 }, () => randomUUID())
    const now = Date.now()
    const lines = sids.map(
      (sid, index) =>
        `cdrs,account_sid=${account},answered=true call_sid="${sid}",from="1",to="2",duration=3 ${now + index}`,
    )
    const { status } = await send(url, admin, 'POST', '/write?db=cdrs&precision=ms', lines.join('\n'), 'text/plain')
    if (status === 204) for (const sid of sids) ledger.calls.add(sid)
  }
  const addNumber = async () => {
    const number = `1${String(random.integer(1e12)).padStart(12, '0')}`
    const [voip_carrier_sid] = ledger.carriers.keys()
    await sendOk(url, admin, 'POST', '/v1/PhoneNumbers', { number, voip_carrier_sid, account_sid: account })
    ledger.numbers.add(number)
  }
  const changeEach = async (
    entries: Map<string, { acknowledged: number; attempted: number }>,
    change: (sid: string, generation: number) => Promise<unknown>,
  ) => {
    for (const [sid, state] of entries) {
      state.attempted = state.acknowledged + 1
      await change(sid, state.attempted)
      state.acknowledged = state.attempted
    }
  }
  const changeCarriers = () =>
    changeEach(ledger.carriers, (sid, generation) =>
      sendOk(url, admin, 'PUT', `/v1/VoipCarriers/${sid}`, { sip_gateways: gatewaysOf(generation) }),
    )
  const changeLcrs = () =>
    changeEach(ledger.lcrs, (sid, generation) => {
      const [carrier = ''] = ledger.carriers.keys()
      return sendOk(url, admin, 'PUT', `/v1/Lcrs/${sid}`, { routes: routesOf(generation, carrier) })
    })
  return [addAccount, addCalls, addCalls, addNumber, changeCarriers, changeLcrs]
}

/** Reads back the acknowledged writes; returns those that are missing or incomplete. */
const findLostWrites = async (
  url: string,
  { admin, account, provider }: CrashFixture,
  ledger: Ledger,
): Promise<string[]> => {
  const problems: string[] = []
  const readRows = (path: string) => sendOk<Row[]>(url, admin, 'GET', path)
  const reportMissing = (label: string, expected: Set<string>, actual: Set<unknown>) => {
    const lostWrites = [...expected].filter((id) => !actual.has(id))
    if (lostWrites.length > 0)
      problems.push(`${lostWrites.length} acknowledged ${label} missing, such as ${lostWrites[0]}`)
  }
  const accounts = await readRows(`/v1/ServiceProviders/${provider}/Accounts`)
  reportMissing('accounts', ledger.accounts, new Set(accounts.map(({ account_sid }) => account_sid)))
  const numbers = await readRows(`/v1/ServiceProviders/${provider}/PhoneNumbers`)
  reportMissing('numbers', ledger.numbers, new Set(numbers.map(({ number }) => number)))
  const calls: unknown[] = []
  for (let page = 1, total = 1; (page - 1) * 500 < total; page += 1) {
    const path = `/v1/Accounts/${account}/RecentCalls?page=${page}&count=500&days=2`
    const response = await sendOk<{ total: number; data: Row[] }>(url, admin, 'GET', path)
    total = response.total
    calls.push(...response.data.map(({ call_sid }) => call_sid))
  }
  reportMissing('calls', ledger.calls, new Set(calls))
  if (new Set(calls).size !== calls.length) problems.push('a call is listed twice')
  const checkGenerations = async (
    label: string,
    entries: Ledger['carriers'],
    rowsOf: (sid: string) => Promise<Row[]>,
    matches: (rows: Row[], generation: number) => boolean,
  ) => {
    for (const [sid, state] of entries) {
      const rows = await rowsOf(sid)
      const generation = [state.acknowledged, state.attempted].find((candidate) => matches(rows, candidate))
      if (generation === undefined)
        problems.push(
          `${label} ${sid} has an incomplete or lost change: ${JSON.stringify(rows.map(({ ipv4, regex }) => ipv4 ?? regex))} is neither of ${JSON.stringify(state)}`,
        )
      else entries.set(sid, { acknowledged: generation, attempted: generation })
    }
  }
  await checkGenerations(
    'carrier',
    ledger.carriers,
    (sid) => readRows(`/v1/SipGateways?voip_carrier_sid=${sid}`),
    (rows, generation) =>
      rows.length === rowCountOf(generation) &&
      rows.every(({ ipv4 }) => String(ipv4).startsWith(`10.${generation % 250}.`)),
  )
  await checkGenerations(
    'LCR',
    ledger.lcrs,
    (sid) => readRows(`/v1/LcrRoutes?lcr_sid=${sid}`),
    (rows, generation) =>
      rows.length === rowCountOf(generation) && rows.every(({ regex }) => String(regex).startsWith(`^${generation}`)),
  )
  return problems
}

/**
 * Kills the server during writes, starts it again, and checks that no acknowledged write is missing and none is
 * incomplete.
 * @param rounds the number of repetitions
 */
export const proveCrashSafety = async (server: TestServer, random: Random, rounds: number): Promise<ProofResult> => {
  const { apiKey: admin } = server
  const failures: string[] = []
  const add = async (path: string, body: unknown) => (await sendOk(server.url, admin, 'POST', `/v1${path}`, body)).sid
  const provider = await add('/ServiceProviders', { name: 'crash provider' })
  const account = await add('/Accounts', { name: 'crash account', service_provider_sid: provider })
  const fixture: CrashFixture = { admin, account, provider }
  const ledger: Ledger = {
    accounts: new Set(),
    calls: new Set(),
    numbers: new Set(),
    carriers: new Map(),
    lcrs: new Map(),
  }
  const initialState = { acknowledged: 0, attempted: 0 }
  for (const name of ['one', 'two']) {
    const carrier = await add('/VoipCarriers', { name, service_provider_sid: provider, sip_gateways: gatewaysOf(0) })
    ledger.carriers.set(carrier, { ...initialState })
    const lcr = await add('/Lcrs', {
      name,
      ...(name === 'one' ? { service_provider_sid: provider } : { account_sid: account }),
    })
    await sendOk(server.url, admin, 'POST', `/v1/Lcrs/${lcr}/Routes`, routesOf(0, carrier))
    ledger.lcrs.set(lcr, { ...initialState })
  }
  for (let round = 1; round <= rounds; round += 1) {
    let isKilled = false
    const repeat = async (write: () => Promise<void>) => {
      while (!isKilled) {
        try {
          await write()
        } catch (error) {
          if (!isKilled) failures.push(`round ${round}: ${String(error)}`)
          return
        }
      }
    }
    const writers = createWriters(server.url, fixture, ledger, random).map(repeat)
    await new Promise((resolve) => setTimeout(resolve, 150 + random.integer(1500)))
    isKilled = true
    await server.kill()
    await Promise.all(writers)
    await server.start()
    failures.push(...(await findLostWrites(server.url, fixture, ledger)).map((problem) => `round ${round}: ${problem}`))
    if ('file' in server.database && !checkIntegrity(server.database.file))
      failures.push(`round ${round}: the database file is damaged`)
  }
  const { accounts, calls, numbers } = ledger
  return {
    failures,
    figures: `${rounds} crashes, acknowledged ${accounts.size} accounts, ${calls.size} calls and ${numbers.size} numbers`,
  }
}
