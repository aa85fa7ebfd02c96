import './stack-traces'
import { parseArgs } from 'node:util'
import { openConfiguredDatabase } from './composition/configured-database'
import { openMovableStore } from './composition/move-calls/movable-stores'
import { moveCalls } from './composition/move-calls/move-calls'
import { formatProgress, formatResult, hasMissingRecords } from './composition/move-calls/report'
import { createStateFile } from './composition/move-calls/state-file'
import { ConfigError, readMoveConfig } from './config/config'
import { DatabaseInUseError } from './db/process-lock'
import { UnavailableError } from './ports/service-errors'

// `npm run move-calls -- --from database --to clickhouse`: copies calls and alerts from one store to another.

const usage = `Usage: npm run move-calls -- --from STORE --to STORE [--restart]
Stores: database, influx (INFLUX_URL), clickhouse (CLICKHOUSE_URL), or the URL or file of another database.
--restart copies everything again instead of continuing an interrupted move.`

const progressIntervalMs = 2000
const print = (line: string) => void process.stdout.write(`${line}\n`)

/** Returns a function that prints the progress now and then. */
const createProgressPrinter = (format: (perSecond: number) => string, readCount: () => number) => {
  let [printedAt, printedCount] = [performance.now(), readCount()]
  return () => {
    const elapsedMs = performance.now() - printedAt
    if (elapsedMs < progressIntervalMs) return
    const perSecond = (Math.max(0, readCount() - printedCount) * 1000) / elapsedMs
    ;[printedAt, printedCount] = [performance.now(), readCount()]
    print(format(perSecond))
  }
}

const readArguments = () => {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, to: { type: 'string' }, restart: { type: 'boolean' } },
  })
  if (!values.from || !values.to) throw new ConfigError(usage)
  return { ...values, from: values.from, to: values.to }
}

const runMove = async (): Promise<boolean> => {
  const { from, to, restart } = readArguments()
  const { config, influxUrl, clickHouseUrl } = readMoveConfig()
  const urls = { databaseUrl: config.database.url, influxUrl, clickHouseUrl }
  const openStore = (name: string, isTarget: boolean) =>
    openMovableStore(name, urls, { openConfiguredDatabase: () => openConfiguredDatabase(config), isTarget })
  const source = await openStore(from, false)
  const target = await openStore(to, true)
  if (source.name === target.name) throw new ConfigError(`--from and --to are the same store: ${source.name}`)
  const stateFile = createStateFile(config.dataDir, source.name, target.name)
  if (restart) stateFile.remove()
  print(`${stateFile.isPresent() ? 'Continuing the move' : 'Moving calls'} from ${source.name} to ${target.name}`)
  const state = stateFile.read()
  let current: ['copy' | 'compare', 'cdrs' | 'alerts'] = ['copy', 'cdrs']
  const printProgress = createProgressPrinter(
    (perSecond) => formatProgress(state, ...current, perSecond),
    () => Object.values(state).reduce((sum, { cdrs, alerts }) => sum + cdrs.recordCount + alerts.recordCount, 0),
  )
  await moveCalls({
    source,
    target,
    state,
    onBlock: (...position) => {
      current = position
      stateFile.save(state)
      printProgress()
    },
  })
  for (const line of formatResult(state)) print(line)
  stateFile.remove()
  await source.close()
  await target.close()
  return !hasMissingRecords(state)
}

const explainError = (error: unknown): string => {
  if (error instanceof DatabaseInUseError) return `${error.message}. Stop the server first.`
  if (error instanceof UnavailableError) return `${error.message} Run the same command again to continue.`
  return error instanceof Error ? error.message : String(error)
}

try {
  const isComplete = await runMove()
  print(isComplete ? 'The target has all records of the source.' : 'The target does not have all records. See above.')
  process.exit(isComplete ? 0 : 1)
} catch (error) {
  process.stderr.write(`${explainError(error)}\n`)
  process.exit(1)
}
