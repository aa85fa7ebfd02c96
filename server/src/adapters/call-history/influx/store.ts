import {
  claimsProveOwner,
  PointsRejected,
  TooManyRecords,
  type AlertListOptions,
  type CallHistory,
  type CallFilter,
  type Measurement,
  type Point,
  type Tenant,
  type TimedListOptions,
} from '../../../ports/call-history'
import { Unavailable } from '../../../ports/unavailable'
import { answerIn, failed, reasonIn, rowsIn, server, unreadable, type Values } from './response'
import { claimLines, claimsIn } from './claims'
import { groupAlerts } from './group-alerts'
import { isUnsaid, sumOf } from './sums'
import { lineOf, patternOf } from './line-format'
import { alertRow, callRow, normalizeField } from '../rows'

/** Milliseconds. */
const patience = 15_000
/** So many calls are read to be added up: it does not do that itself by what is no tag. */
const mostAdded = 100_000

/** A write is tried so often, each time with one more number in the form that is wanted. */
const mostTries = 10
const numberRefused =
  /input field "(.+?)" on measurement ".+?" is type (?:float|integer), already exists as type (integer|float)/

/** Conditions with the values that they bind. */
interface Asked {
  where: string[]
  params: Record<string, string | number>
}

const silent = `${server} does not answer. Try again later.`

/** The times that it knows, in nanoseconds. It reads no query that names another. */
const [first, last] = [-9_223_372_036_854_775_806n, 9_223_372_036_854_775_806n]

const nanoseconds = (moment: number): bigint => {
  const at = BigInt(moment) * 1_000_000n
  if (at < first) return first
  return at > last ? last : at
}

const asked = (of: Tenant, { from, to }: Pick<TimedListOptions, 'from' | 'to'>): Asked => {
  const [column, sid] = Object.entries(of)[0] as [string, string]
  return {
    where: [
      `${column} = $owner`,
      // whole numbers of nanoseconds, written out: they are too long for a number of ours
      ...(from === undefined ? [] : [`time >= ${nanoseconds(Math.ceil(from))}`]),
      ...(to === undefined ? [] : [`time < ${nanoseconds(Math.floor(to) + 1)}`]),
    ],
    params: { owner: sid },
  }
}

/** Also for fields: both are compared alike. */
const withTag = (into: Asked, name: string, value: string | undefined): Asked =>
  value === undefined
    ? into
    : { where: [...into.where, `${name} = $${name}`], params: { ...into.params, [name]: value } }

/** A condition cannot ask for what is not there: of calls without a status all are read, and those of a status left out. */
const withStatus = (into: Asked, sip_status: number | undefined): Asked =>
  sip_status === undefined || sip_status === 0
    ? into
    : { ...into, where: [...into.where, `sip_status = ${sip_status}`] }

/** Any of these columns contains the text, or one of those is the text. */
const withText = (
  into: Asked,
  text: string | undefined,
  { containing, equal }: { containing: readonly string[]; equal: readonly string[] },
): Asked =>
  text
    ? {
        where: [
          ...into.where,
          `(${[
            ...containing.map((name) => `${name} =~ ${patternOf(text)}`),
            ...equal.map((name) => `${name} = $text`),
          ].join(' or ')})`,
        ],
        params: { ...into.params, text: text.trim() },
      }
    : into

const searchedInCalls = {
  containing: ['"from"', '"to"', 'trunk', 'termination_reason'],
  equal: ['call_sid', 'sip_callid'],
}
const searchedInAlerts = { containing: ['message', 'detail', 'alert_type', 'vendor'], equal: ['target_sid'] }

/** A tag that is not there is unequal to every text: of whom nobody said it was not answered. */
const withAnswer = (into: Asked, answered: boolean | undefined): Asked =>
  answered === undefined ? into : { ...into, where: [...into.where, `answered ${answered ? '=' : '!='} 'true'`] }

const callsAsked = (of: Tenant, look: CallFilter): Asked => {
  const what = withTag(withAnswer(asked(of, look), look.answered), 'direction', look.direction)
  const filtered = withTag(withTag(what, 'trunk', look.trunk), 'application_sid', look.application_sid)
  return withStatus(withText(filtered, look.text, searchedInCalls), look.sip_status)
}

const alertsAsked = (of: Tenant, look: AlertListOptions): Asked => {
  const ofType = withTag(asked(of, look), 'alert_type', look.alert_type)
  return withText(withTag(ofType, 'message', look.message), look.text, searchedInAlerts)
}

/** Points with their fields in the form of all writers, and the names of fields that have no such form. */
const formed = (db: Measurement, points: readonly Point[]) => {
  const wrong = new Set<string>()
  const good = points.flatMap((point) => {
    const fields = Object.entries(point.fields).map(([name, value]) => [name, normalizeField(db, name, value)] as const)
    const bad = fields.filter(([, value]) => value === undefined)
    for (const [name] of bad) wrong.add(name)
    const said = fields.filter((pair): pair is [string, string | number | boolean] => (pair[1] ?? null) !== null)
    return bad.length > 0 ? [] : [{ ...point, fields: Object.fromEntries(said) }]
  })
  return { good, wrong: [...wrong].join(', ').slice(0, 200) }
}

/** Some of these a record has, whoever wrote it: a record without the field that is counted is not counted. */
const namesOfCall = ['sip_callid', 'call_sid', '"from"', '"to"']

/** A time of InfluxDB's as we tell it: to the millisecond. */
const timeOut = (value: unknown): string => new Date(String(value)).toISOString()

/** Calls and alerts in an InfluxDB 1.x, as the platform's own servers keep them. `url` may carry a user and a password. */
export const influxCallHistory = (address: string): CallHistory => {
  const { origin, pathname, username, password } = new URL(address)
  const base = origin + pathname.replace(/\/+$/, '')
  const login = `${decodeURIComponent(username || 'root')}:${decodeURIComponent(password || 'root')}`
  const authorization = `Basic ${Buffer.from(login).toString('base64')}`

  const send = async (path: string, query: Record<string, string>, body?: string): Promise<Response> => {
    try {
      return await fetch(`${base}${path}?${new URLSearchParams(query).toString()}`, {
        method: body === undefined && path === '/query' && !/^create/i.test(query.q ?? '') ? 'GET' : 'POST',
        headers: { authorization },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(patience),
      })
    } catch {
      throw new Unavailable(silent)
    }
  }

  const answerOf = async (response: Response): Promise<Values> => {
    const answer = await answerIn(response)
    if (response.status === 401) throw new Unavailable(`${server} does not let us in. Check INFLUX_URL.`)
    if (!response.ok) throw failed(reasonIn(answer) ?? `status ${response.status}`)
    if (!answer) throw unreadable()
    return answer
  }

  const answer = async (db: Measurement, q: string, params: Asked['params']): Promise<Values> =>
    answerOf(await send('/query', { db, q, params: JSON.stringify(params) }))

  const query = async (db: Measurement, q: string, params: Asked['params']): Promise<Values[]> => {
    return rowsIn(await answer(db, q, params))
  }

  /** `counted`: fields of which every record has one. The one that most have says how many there are. */
  const read = async (
    db: Measurement,
    counted: readonly string[],
    { where, params }: Asked,
    look: TimedListOptions,
  ) => {
    const { page, count, oldestFirst } = look
    const which = `from ${db} where ${where.join(' and ')}`
    const counts = counted.map((field, at) => `count(${field}) as n${at}`)
    const [totals] = await query(db, `select ${counts.join(', ')} ${which}`, params)
    const total = Math.max(0, ...counted.map((_, at) => Number(totals?.[`n${at}`]) || 0))
    const offset = (page - 1) * count
    if (total <= offset) return { total, rows: [] }
    const rows = await query(
      db,
      `select * ${which} order by time ${oldestFirst ? 'asc' : 'desc'} limit ${count} offset ${offset}`,
      params,
    )
    return { total, rows }
  }

  /** Fields that a database has as whole numbers, because whoever wrote them first said so: it takes them in no other form. */
  const wholes: Record<Measurement, Set<string>> = { cdrs: new Set(), alerts: new Set() }

  /** Learns from a refusal in which form a number is wanted. Is it worth another try? */
  const learn = (db: Measurement, reason: string): boolean => {
    const [, name, wanted] = numberRefused.exec(reason) ?? []
    if (name === undefined) return false
    if (wanted === 'float') return wholes[db].delete(name)
    const known = wholes[db].has(name)
    wholes[db].add(name)
    return !known
  }

  const writeFormed = async (db: Measurement, points: readonly Point[], tried = 1): Promise<void> => {
    const lines = [...points.flatMap((point) => lineOf(db, point, wholes[db]) ?? []), ...claimLines(points)]
    if (lines.length === 0) return
    const once = () => send('/write', { db, precision: 'ns' }, lines.join('\n'))
    let response = await once()
    if (response.status === 404) {
      await answerOf(await send('/query', { q: `create database ${db}` }))
      response = await once()
    }
    if (response.status === 204) return
    if (response.status !== 400) {
      await answerOf(response)
      // it says nothing when it has kept them: what else there is was said by somebody else
      throw unreadable()
    }
    // the lines are ours, so it is what they say that is wrong, and would be again
    const error = reasonIn(await answerIn(response)) ?? 'status 400'
    if (tried < mostTries && learn(db, error)) return writeFormed(db, points, tried + 1)
    throw new PointsRejected(
      `the call history does not keep it: ${error.replace(/^partial write: /, '').slice(0, 200)}`,
    )
  }

  const write = async (db: Measurement, points: readonly Point[]): Promise<void> => {
    const { good, wrong } = formed(db, points)
    await writeFormed(db, good)
    if (wrong !== '') throw new PointsRejected(`no number in ${wrong}`)
  }

  /** Those of whose status nobody said. */
  const readUnsaid = async ({ where, params }: Asked, { page, count, oldestFirst }: TimedListOptions) => {
    const order = oldestFirst ? 'asc' : 'desc'
    const which = `from cdrs where ${where.join(' and ')} order by time ${order} limit ${mostAdded + 1}`
    const read = await query('cdrs', `select * ${which}`, params)
    if (read.length > mostAdded) throw new TooManyRecords()
    const unsaid = read.filter(isUnsaid)
    return { total: unsaid.length, rows: unsaid.slice((page - 1) * count, page * count) }
  }

  /** What a record says. It has every column that anybody ever wrote, and what others call theirs is none of its owner's business. */
  const saidIn = (row: Values): Values =>
    Object.fromEntries(Object.entries(row).filter(([name, value]) => name !== 'time' && value !== null))

  return {
    async calls(of, look) {
      const asks = callsAsked(of, look)
      const { total, rows } =
        look.sip_status === 0 ? await readUnsaid(asks, look) : await read('cdrs', namesOfCall, asks, look)
      return { total, rows: rows.map((row) => callRow(timeOut(row.time), saidIn(row))) }
    },
    async sums(of, look) {
      const { where, params } = callsAsked(of, look)
      const fields = [...namesOfCall, 'answered', 'sip_status', '"duration"', 'answered_at'].join(', ')
      const which = `from cdrs where ${where.join(' and ')} limit ${mostAdded + 1}`
      const rows = await query('cdrs', `select ${fields} ${which}`, params)
      if (rows.length > mostAdded) throw new TooManyRecords()
      return (look.sip_status === 0 ? rows.filter(isUnsaid) : rows).map(sumOf)
    },
    async alerts(of, look: AlertListOptions) {
      const { total, rows } = await read('alerts', ['message'], alertsAsked(of, look), look)
      return { total, rows: rows.map((row) => alertRow(timeOut(row.time), saidIn(row))) }
    },
    async alertGroups(of, look) {
      const { where, params } = alertsAsked(of, look)
      const which = `from alerts where ${where.join(' and ')} order by time desc limit ${mostAdded + 1}`
      const rows = await query('alerts', `select * ${which}`, params)
      if (rows.length > mostAdded) throw new TooManyRecords()
      return groupAlerts(
        rows.map((row) => alertRow(timeOut(row.time), saidIn(row))),
        look,
      )
    },
    async find(of, by) {
      const [name, value] = Object.entries(by)[0] as [string, string]
      const { where, params } = asked(of, {})
      const which = [...where, `${name} = $name`].join(' and ')
      const [row] = await query('cdrs', `select * from cdrs where ${which} order by time desc limit 1`, {
        ...params,
        name: value,
      })
      return row && callRow(timeOut(row.time), saidIn(row))
    },
    async isOwner(of, by) {
      const [[name, value] = ['', '']] = Object.entries<string>(by)
      return claimsProveOwner(await claimsIn((q) => answer('cdrs', q, { name: value }), name), of)
    },
    write,
    // it alone knows how it finds what it has
    backfill: () => Promise.resolve(),
    // how long it keeps what it has is its own rule
    prune: () => Promise.resolve(),
  }
}
