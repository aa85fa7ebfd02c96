import type { ActorName, World } from './world'

/** The expected response: 'ok' for the route's success, or the exact refusal. */
export type Answer = 'ok' | { status: number; body?: unknown }

export interface Row {
  /** `METHOD /path/with/:params`, as in the contract. */
  call: string
  /** Parameters, query and body. By default they refer to acme's records. */
  params?: (world: World) => Record<string, string>
  query?: (world: World) => string
  body?: (world: World) => unknown
  /** Creates a record of acme that the next success may delete, and returns its SID for the last parameter. */
  victim?: { path: string; body: (world: World) => object }
  answers: Record<ActorName, Answer>
  /** Responses for API keys that differ from those for users. */
  keys?: Partial<Record<ActorName, Answer>>
}

export const json = (status: number, msg: string, field?: string): Answer => ({
  status,
  body: { msg, ...(field ? { field } : {}) },
})
export const empty = (status: number): Answer => ({ status })
export const text = (status: number): Answer => ({ status, body: { 403: 'Forbidden', 404: 'Not Found' }[status] })
export const permissions = json(403, 'insufficient permissions')
export const privileges = json(403, 'insufficient privileges')
/** The speech routes capitalise it. */
export const speechPrivileges = json(403, 'Insufficient privileges')
export const stop = 'insufficient privileges'
export const gate: Answer = { status: 403, body: { status: 'fail', message: stop, msg: stop } }
export const notThisProvider = json(403, 'insufficient permissions to update service provider')
export const otherCarrier = json(422, 'carrier belongs to a different user')

export type Foreign = [south: Answer, bolt: Answer, corp: Answer]
/** For the admin, the owner's provider and the owner; then the other provider, a sibling account and a foreign account. */
export const owners = (...[south, bolt, corp]: Foreign) =>
  ({ admin: 'ok', north: 'ok', acme: 'ok', south, bolt, corp }) as Row['answers']
export const foreign = (answer: Answer): Foreign => [answer, answer, answer]
export const providers = (answer: Answer): Row['answers'] => ({ ...owners(...foreign(answer)), acme: answer })
export const onlyAdmin = (answer: Answer): Row['answers'] => ({ ...providers(answer), north: answer })
/** Records of the provider and its accounts. */
export const underProvider = (answer: Answer): Row['answers'] => ({ ...owners(answer, 'ok', answer) })
export const anyone = owners('ok', 'ok', 'ok')
export const nobody = (answer: Answer): Row['answers'] => ({ ...onlyAdmin(answer), admin: answer })
export const ownOnly = (answer: Answer): Row['answers'] => ({ ...onlyAdmin(answer), acme: 'ok' })
export const unknownTable = json(400, 'unknown lcr_sid')
export const unknownAccount = json(400, 'unknown account_sid', 'account_sid')
export const nothing = json(400, 'no updates requested')
