import type { ClientResponse, SendRequest } from '../client'
import type { Random } from '../random'
import type { Actor, Tenant } from '../tenancy'
import type { HistoryKind } from './kinds'
import type { LiveRecord, RecordHistory } from './records'
import type { Interval } from './registers'

type Action = 'read' | 'list' | 'update' | 'update all' | 'update version' | 'delete' | 'create'

/** One operation, which depends on the seed only. */
export interface Operation {
  actor: Actor
  tenant: Tenant
  kind: HistoryKind
  /** The place of the record among those of its kind and tenant. */
  slot: number
  action: Action
  field: number
}

/** How often each action is drawn. */
const actionWeights: readonly [Action, number][] = [
  ['read', 42],
  ['list', 8],
  ['update', 26],
  ['update all', 5],
  ['update version', 8],
  ['delete', 5],
  ['create', 6],
]
const weightedActions = actionWeights.flatMap(([action, weight]) => Array<Action>(weight).fill(action))
/** Few records, so that the operations often concern the same one at the same time. */
const slotsPerKind = 4
/** The share of operations by any actor, also by those who may not access the tenant. */
const foreignShare = 0.15

/** Whether the records of a tenant belong to the actor, or to an account of the actor's provider. */
const isInScope = ({ tenant: actorTenant }: Actor, tenant: Tenant) =>
  actorTenant === undefined ||
  actorTenant === tenant ||
  (actorTenant.accountSid === undefined && actorTenant.providerSid === tenant.providerSid)

/** Draws an operation. The number of drawn values is always the same, so that a seed is replayable. */
export const drawOperation = (
  random: Random,
  actors: readonly Actor[],
  tenants: readonly Tenant[],
  kinds: readonly HistoryKind[],
): Operation => {
  const kind = random.pick(kinds)
  const owners = tenants.filter(({ accountSid }) => (accountSid === undefined) === (kind.belongsToProvider ?? false))
  const tenant = random.pick(owners)
  const isForeign = random.chance(foreignShare)
  return {
    actor: random.pick(actors.filter((actor) => isForeign || isInScope(actor, tenant))),
    tenant,
    kind,
    slot: random.integer(slotsPerKind - 1),
    action: random.pick(weightedActions),
    field: random.integer(kind.fields.length - 1),
  }
}

/** Returns the tenant that a text comes from, by its marker, if the actor may not read that tenant. */
const findForeignTenant = (text: string, { readableTenants }: Actor, tenants: readonly Tenant[]) =>
  tenants.find((tenant) => !readableTenants.has(tenant) && text.includes(tenant.marker))

/** Whether the record does not exist. Version 1 answers some of these requests with 400. */
const isMissing = ({ status, text }: ClientResponse) =>
  status === 404 || (status === 400 && /not found for sid|does not exist/.test(text))

/** Whether a write happened. After a 503 response it may have happened or not. */
const outcomeOf = (status: number) => (status < 300 ? 'accepted' : status === 503 ? 'unclear' : 'refused')

/** The fields that an update writes. */
const fieldsOf = ({ action, kind: { fields }, field }: Operation) =>
  action === 'update all' ? fields : [fields[field] ?? fields[0]]

interface Outcome extends ClientResponse {
  interval: Interval
}

interface Context {
  send: SendRequest
  history: RecordHistory
  tenants: readonly Tenant[]
  administrator: Actor
  /** SIDs of records that existed before the proof. */
  knownSids: ReadonlySet<string>
  nowMs: () => number
  createSerial: () => number
}

/** Executes operations and records what they observed. */
export class OperationRunner {
  constructor(private readonly context: Context) {}

  async run(operation: Operation): Promise<void> {
    const { actor, tenant, kind, slot, action } = operation
    if (action === 'list') return this.list(operation)
    const { history, administrator } = this.context
    const record = history.findRecord(kind, tenant, slot)
    const isAllowed = isInScope(actor, tenant) && (action === 'read' || actor.writableTenants.has(tenant))
    const mayCreate = isAllowed && actor.writableTenants.has(tenant)
    // The matrix proof covers creations in other tenants.
    if (!record) return this.create(mayCreate ? operation : { ...operation, actor: administrator })
    return isAllowed ? this.runAllowed(operation, record) : this.attemptForeign(operation, record)
  }

  private async runAllowed(operation: Operation, record: LiveRecord): Promise<void> {
    const { kind, action } = operation
    if (action === 'delete') return this.delete(operation, record)
    // Its only field never changes, so a second record may try to get the same value.
    if (kind.hasFixedName && action === 'create') return this.create(operation)
    if (action === 'read' || kind.hasFixedName) return void (await this.read(operation, record))
    if (action === 'update version' && kind.hasVersion) return this.updateVersion(operation, record)
    return this.update(operation, record)
  }

  private async send({ actor }: Operation, method: string, path: string, body?: unknown): Promise<Outcome> {
    const { send, nowMs, history, tenants } = this.context
    const startMs = nowMs()
    const response = await send(actor.token, method, path, body)
    const { status, text, retryAfter } = response
    const label = `${method} ${path} as ${actor.name}: ${status}`
    const foreignTenant = findForeignTenant(text, actor, tenants)
    const isEcho = JSON.stringify(body ?? '').includes(foreignTenant?.marker ?? '\0')
    if (foreignTenant && !isEcho) history.problems.push(`${label}, the response has data of ${foreignTenant.name}`)
    const isExpected = status < 500 ? status !== 429 && status !== 401 : status === 503 && retryAfter !== undefined
    if (!isExpected) history.problems.push(`${label} ${text.slice(0, 200)}`)
    history.count(method, status)
    return { ...response, interval: { startMs, endMs: nowMs() } }
  }

  private createValue({ kind, tenant, slot }: Operation): string {
    // Several clients try to add the same few numbers.
    if (kind.hasFixedName) return `1777${tenant.name.charCodeAt(0)}${tenant.name.slice(1) || 0}${slot}`
    return `${tenant.marker}-h${this.context.createSerial()}`
  }

  private async create(operation: Operation): Promise<void> {
    const { actor, tenant, kind, slot } = operation
    const { history } = this.context
    const values = Object.fromEntries(kind.fields.map((field) => [field, this.createValue(operation)]))
    const body = { ...kind.buildDraft(tenant), ...values }
    const { status, text, interval } = await this.send(operation, 'POST', kind.path, body)
    if (status === 201) {
      const { sid } = JSON.parse(text) as { sid: string }
      const [nameField] = kind.fields
      const name = values[nameField] ?? ''
      history.addRecord(
        { sid, kind, tenant, name, createdAtMs: interval.endMs, isDeleting: false },
        slot,
        values,
        interval,
      )
    } else if (status === 503) history.addUnclearRecord(values)
    else if (!kind.hasFixedName)
      history.problems.push(`POST ${kind.path} as ${actor.name}: ${status} ${text.slice(0, 200)}`)
  }

  private async read(operation: Operation, record: LiveRecord): Promise<Record<string, unknown> | undefined> {
    const { kind } = record
    const { history } = this.context
    const path = `${kind.path}/${record.sid}`
    const response = await this.send(operation, 'GET', path)
    const { status, text, interval } = response
    if (isMissing(response)) history.readDeleted(record, interval)
    else if (status !== 200 && status !== 503)
      history.problems.push(`GET ${path} as ${operation.actor.name}: ${status}`)
    if (status !== 200) return undefined
    const row = JSON.parse(text) as Record<string, unknown>
    history.readRow(kind, row, interval)
    return row
  }

  private async update(operation: Operation, record: LiveRecord, version?: string): Promise<void> {
    const { kind, actor } = operation
    const { history } = this.context
    const values = Object.fromEntries(fieldsOf(operation).map((field) => [field, this.createValue(operation)]))
    const path = `${kind.path}/${record.sid}`
    const body = { ...values, ...(version === undefined ? {} : { version }) }
    const response = await this.send(operation, 'PUT', path, body)
    const { status, text, interval } = response
    if (isMissing(response)) history.readDeleted(record, interval)
    const outcome = outcomeOf(status)
    for (const [field, value] of Object.entries(values)) {
      const register = history.registerOf(record.sid, field)
      if (outcome === 'refused') register.refuse(value)
      else register.write(value, outcome === 'accepted' ? interval : { ...interval, endMs: Infinity })
    }
    if (outcome === 'accepted' && version !== undefined) history.useVersion(record.sid, version)
    const isExplained = outcome !== 'refused' || isMissing(response) || (status === 409 && version !== undefined)
    if (!isExplained) history.problems.push(`PUT ${path} as ${actor.name}: ${status} ${text.slice(0, 200)}`)
  }

  /** Reads a record and updates it only if it has not changed since. */
  private async updateVersion(operation: Operation, record: LiveRecord): Promise<void> {
    const row = await this.read(operation, record)
    if (row) await this.update(operation, record, String(row.version))
  }

  private async delete(operation: Operation, record: LiveRecord): Promise<void> {
    const path = `${record.kind.path}/${record.sid}`
    const { history } = this.context
    record.isDeleting = true
    const response = await this.send(operation, 'DELETE', path)
    const { status, text, interval } = response
    if (status === 204) history.deleteRecord(record, operation.slot, interval)
    else if (status === 503) history.deleteRecord(record, operation.slot, { ...interval, endMs: Infinity })
    else if (isMissing(response)) history.readDeleted(record, interval)
    else history.problems.push(`DELETE ${path} as ${operation.actor.name}: ${status} ${text.slice(0, 200)}`)
  }

  /** Reads, changes or deletes a record without the permission to do so. */
  private async attemptForeign(operation: Operation, record: LiveRecord): Promise<void> {
    const { action, kind, actor } = operation
    const { history } = this.context
    const path = `${kind.path}/${record.sid}`
    const method = action === 'read' ? 'GET' : action === 'delete' ? 'DELETE' : 'PUT'
    const field = kind.fields[operation.field] ?? kind.fields[0]
    const value = this.createValue(operation)
    const { status } = await this.send(operation, method, path, method === 'PUT' ? { [field]: value } : undefined)
    if (status < 400) history.problems.push(`${method} ${path} as ${actor.name} was accepted: ${status}`)
    if (method === 'PUT' && !kind.hasFixedName) history.registerOf(record.sid, field).refuse(value)
  }

  /** Lists all records that the actor may see: those that exist must be listed, with their current values. */
  private async list(operation: Operation): Promise<void> {
    const { actor, kind } = operation
    const { history, knownSids } = this.context
    const expected = [...history.liveRecords].filter(
      (record) => record.kind === kind && !record.isDeleting && isInScope(actor, record.tenant),
    )
    const { status, text, interval } = await this.send(operation, 'GET', `${kind.path}?page=1&page_size=100`)
    if (status === 503) return
    if (status !== 200) return void history.problems.push(`GET ${kind.path} as ${actor.name}: ${status}`)
    const { data } = JSON.parse(text) as { data: Record<string, unknown>[] }
    const sids = new Set(data.map((row) => row[kind.key]))
    if (sids.size !== data.length) history.problems.push(`GET ${kind.path} as ${actor.name}: a record is listed twice`)
    for (const row of data) if (!knownSids.has(String(row[kind.key]))) history.readRow(kind, row, interval)
    for (const record of expected)
      if (!record.isDeleting && !sids.has(record.sid))
        history.problems.push(`GET ${kind.path} as ${actor.name} lacks ${record.sid}, which was added before`)
  }
}
