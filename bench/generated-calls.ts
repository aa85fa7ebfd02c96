import type { ClickHouseConnection } from '../server/src/adapters/call-history/clickhouse/connection'
import { identifierTable, recordTables } from '../server/src/adapters/call-history/clickhouse/tables'
import { defaultServiceProviderSid } from '../server/src/db/seed-data'
import { applicationSids, dayCount, dayMs, trunkCount } from './calls'

/** Calls per statement. */
const batchSize = 500_000

/** The values of `buildCall`, as SQL. `number` is the index of the call. */
const callColumns = {
  service_provider_sid: `'${defaultServiceProviderSid}'`,
  account_sid: '{accountSids:Array(String)}[number % length({accountSids:Array(String)}) + 1]',
  time_ns: '({startAt:Int64} + intDiv(number * {periodMs:Int64}, {count:Int64})) * 1000000',
  call_key: 'rand64(number)',
  arrival: '0',
  direction: `if(number % 3 = 0, 'outbound', 'inbound')`,
  answered: `if(number % 5 = 0, 'false', 'true')`,
  trunk: `concat('Trunk ', leftPad(toString(number % ${trunkCount}), 2, '0'))`,
  host: `'203.0.113.100'`,
  call_sid: 'toString(generateUUIDv4(1))',
  sip_callid: `concat(toString(generateUUIDv4(2)), '@198.51.100.24')`,
  trace_id: `replaceAll(toString(generateUUIDv4(3)), '-', '')`,
  '`from`': `concat('1617555', leftPad(toString((number * 7919) % 10000), 4, '0'))`,
  '`to`': `concat('1857555', leftPad(toString((number * 104729) % 10000), 4, '0'))`,
  duration: 'number % 600',
  sip_status: 'multiIf(number % 5 != 0, 200, number % 25 != 0, 486, 404)',
  answered_at: 'if(number % 5 = 0, null, intDiv(time_ns, 1000000) + 2000 + number % 5000)',
  termination_reason: `'caller hungup'`,
  application_sid: '{applicationSids:Array(String)}[number % length({applicationSids:Array(String)}) + 1]',
}

const identifierDigests = ['call_sid', 'sip_callid', 'trace_id'].map(
  (name) => `toUUID(substring(lower(hex(SHA256(concat('${name} ', ${name})))), 1, 32))`,
)

/** Runs a statement over HTTP, because the client of the adapter waits only half a minute. */
const runStatement = async (url: string, statement: string, params: Record<string, unknown> = {}): Promise<void> => {
  const query = Object.entries(params).map(([name, value]): [string, string] => [
    `param_${name}`,
    Array.isArray(value) ? `[${value.map((text) => `'${text}'`).join(',')}]` : String(value),
  ])
  const response = await fetch(`${new URL(url).origin}/?${new URLSearchParams(query).toString()}`, {
    method: 'POST',
    body: statement,
  })
  if (!response.ok) throw new Error(await response.text())
}

/** Lets ClickHouse generate calls like those of `buildCall`, without the adapter. */
export const generateCalls = async (
  url: string,
  { qualify }: Pick<ClickHouseConnection, 'qualify'>,
  accountSids: readonly string[],
  count: number,
): Promise<void> => {
  const startAt = Date.now() - dayCount * dayMs
  const calls = qualify(recordTables.cdrs.name)
  const columns = Object.entries(callColumns)
  for (let first = 0; first < count; first += batchSize)
    await runStatement(
      url,
      `insert into ${calls} (${columns.map(([name]) => name).join(', ')})
      select ${columns.map(([name, value]) => `${value} as ${name}`).join(', ')}
      from numbers({first:UInt64}, {batchCount:UInt64})`,
      {
        accountSids,
        applicationSids,
        startAt,
        periodMs: dayCount * dayMs,
        count,
        first,
        batchCount: Math.min(batchSize, count - first),
      },
    )
  for (const digest of identifierDigests)
    await runStatement(
      url,
      `insert into ${qualify(identifierTable)} select ${digest}, service_provider_sid, account_sid, time_ns, 0 from ${calls}`,
    )
}

/** Merges the parts of each week, as ClickHouse itself does an hour after the last call of a week. */
export const mergeParts = async (
  url: string,
  { query, database, qualify }: Pick<ClickHouseConnection, 'query' | 'database' | 'qualify'>,
): Promise<void> => {
  const { rows } = await query(
    'select distinct table, partition from system.parts where active and database = {database:String}',
    { database },
  )
  for (const { table, partition } of rows)
    await runStatement(url, `optimize table ${qualify(String(table))} partition ${Number(partition)} final`)
}
