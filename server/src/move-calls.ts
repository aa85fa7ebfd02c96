import './stack-traces'
import { parseArgs } from 'node:util'
import { openConfiguredDatabase } from './composition/configured-database'
import { openMovableStore } from './composition/move-calls/movable-stores'
import { moveCalls } from './composition/move-calls/move-calls'
import { formatProgress, formatResult, hasMissingRecords, isEmpty } from './composition/move-calls/report'
import { createStateFile } from './composition/move-calls/state-file'
import { ConfigError, readMoveConfig } from './config/config'
import { errorTextOf, maskPasswords } from './db/explain-error'
import { DatabaseInUseError } from './db/process-lock'
import { UnavailableError } from './ports/service-errors'

// `npm run move-calls -- --from database --to clickhouse`: copies calls and alerts from one store to another.

const usage = `Usage: npm run move-calls -- --from STORE --to STORE [--restart]
(in the packages: trunkline move-calls --from STORE --to STORE [--restart])
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

/** Returns undefined if only the usage was requested. */
const readArguments = () => {
  const options = {
    from: { type: 'string' },
    to: { type: 'string' },
    restart: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const
  let values
  try {
    values = parseArgs({ options }).values
  } catch (error) {
    throw new ConfigError(`${errorTextOf(error)}\n${usage}`)
  }
  if (values.help) return undefined
  if (!values.from || !values.to) throw new ConfigError(usage)
  return { from: values.from, to: values.to, restart: values.restart }
}

type MoveArguments = NonNullable<ReturnType<typeof readArguments>>
type MoveConfig = ReturnType<typeof readMoveConfig>

const settingNames: Record<string, string> = {
  database: 'DATA_DIR and DATABASE_URL',
  influx: 'INFLUX_URL',
  clickhouse: 'CLICKHOUSE_URL',
}

/** Opens a store and reads from it. An empty source copies nothing, so a store that does not respond would not be noticed. */
const openStore = async (name: string, role: 'source' | 'target', { config, influxUrl, clickHouseUrl }: MoveConfig) => {
  const urls = { databaseUrl: config.database.url, influxUrl, clickHouseUrl }
  try {
    const store = await openMovableStore(name, urls, {
      openConfiguredDatabase: () => openConfiguredDatabase(config),
      isTarget: role === 'target',
    })
    await store.findNextTime('cdrs', 0)
    return store
  } catch (error) {
    if (error instanceof ConfigError || error instanceof DatabaseInUseError) throw error
    const reason = errorTextOf(error).replace(/\.$/, '')
    throw new ConfigError(
      `The ${role} ${maskPasswords(name)} cannot be used: ${reason}. ` +
        `Check ${settingNames[name] ?? 'its URL or path'}, and that the store is available.`,
    )
  }
}

/** Returns the last line of the report, and whether the target has all records. */
const runMove = async ({ from, to, restart }: MoveArguments): Promise<{ isComplete: boolean; summary: string }> => {
  const moveConfig = readMoveConfig()
  const source = await openStore(from, 'source', moveConfig)
  const target = await openStore(to, 'target', moveConfig)
  if (source.name === target.name) throw new ConfigError(`--from and --to are the same store: ${source.name}`)
  const stateFile = createStateFile(moveConfig.config.dataDir, source.name, target.name)
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
  if (isEmpty(state))
    return {
      isComplete: false,
      summary: `The source has no calls. If you expected some, check ${settingNames[from] ?? '--from'}.`,
    }
  return hasMissingRecords(state)
    ? { isComplete: false, summary: 'The target does not have all records. See above.' }
    : { isComplete: true, summary: 'The target has all records of the source.' }
}

const explainError = (error: unknown): string => {
  if (error instanceof DatabaseInUseError) return `${error.message}. Stop the server first.`
  if (error instanceof UnavailableError) return `${error.message} Run the same command again to continue.`
  return error instanceof Error ? error.message : String(error)
}

try {
  const moveArguments = readArguments()
  if (!moveArguments) {
    print(usage)
    process.exit(0)
  }
  const { isComplete, summary } = await runMove(moveArguments)
  print(summary)
  process.exit(isComplete ? 0 : 1)
} catch (error) {
  process.stderr.write(`${explainError(error)}\n`)
  process.exit(1)
}
