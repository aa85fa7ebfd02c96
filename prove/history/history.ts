import type { TestServer } from '../../scripts/launch/server'
import { createClient } from '../client'
import { sendOk } from '../http'
import type { ProofResult } from '../proof'
import { createRandom } from '../random'
import { createTestTenancy, type Actor, type Tenant } from '../tenancy'
import { historyKinds } from './kinds'
import { drawOperation, OperationRunner } from './operations'
import { RecordHistory } from './records'

const clientCount = 12

const createAdministrator = (token: string, tenants: Tenant[]): Actor => ({
  name: 'administrator',
  token,
  readableTenants: new Set(tenants),
  writableTenants: new Set(tenants),
  secretTenants: new Set(tenants),
})

/** The SIDs of all records that exist before the first operation. */
const readKnownSids = async (url: string, admin: string): Promise<Set<string>> => {
  const sids = new Set<string>()
  for (const { path, key } of historyKinds) {
    const { data } = await sendOk<{ data: Record<string, unknown>[] }>(
      url,
      admin,
      'GET',
      `${path}?page=1&page_size=100`,
    )
    for (const row of data) sids.add(String(row[key]))
  }
  return sids
}

/**
 * Several clients read and write the same records at the same time, as administrator, as users and with API keys of
 * several tenants. Checks the recorded history for lost updates, stale reads and data of other tenants.
 * @param operationCount the number of operations. Each client draws the same ones for the same seed; only how they
 *   overlap differs.
 * @param maxSeconds the proof ends earlier after this time
 */
export const proveHistory = async (
  { url, apiKey }: TestServer,
  seed: number,
  operationCount: number,
  maxSeconds: number,
): Promise<ProofResult> => {
  const tenancy = await createTestTenancy(url, apiKey)
  const { tenants } = tenancy
  const administrator = createAdministrator(apiKey, tenants)
  const actors = [administrator, ...tenancy.actors]
  const knownSids = await readKnownSids(url, apiKey)
  const history = new RecordHistory()
  const client = createClient(url)
  let serial = 0
  const startedAtMs = performance.now()
  const nowMs = () => performance.now() - startedAtMs
  const createSerial = () => (serial += 1)
  const runner = new OperationRunner({
    send: client.send,
    history,
    tenants,
    administrator,
    knownSids,
    nowMs,
    createSerial,
  })
  let executedCount = 0
  const runClient = async (index: number) => {
    const random = createRandom(seed * clientCount + index)
    for (let count = index; count < operationCount; count += clientCount) {
      if (nowMs() > maxSeconds * 1000 || history.problems.length > 100) return
      await runner.run(drawOperation(random, actors, tenants, historyKinds))
      executedCount += 1
    }
  }
  await Promise.all(Array.from({ length: clientCount }, (_, index) => runClient(index)))
  client.close()
  const seconds = nowMs() / 1000
  const { reads, writes, refused, unavailable } = history.counts
  return {
    failures: history.findViolations(),
    figures:
      `${executedCount} operations by ${actors.length} actors, ${Math.round(executedCount / seconds)} per second ` +
      `(${reads} reads, ${writes} writes, ${refused} refused, ${unavailable} with 503), ${history.registerCount} fields checked`,
  }
}
