import type { ActorName, World } from './world'

/** The expected response: 'ok' for the route's success, or the exact refusal. */
export type ExpectedResponse = 'ok' | { status: number; body?: unknown }

export interface Row {
  /** `METHOD /path/with/:params`, as in the contract. */
  call: string
  /** Parameters, query and body. By default they refer to acme's records. */
  params?: (world: World) => Record<string, string>
  query?: (world: World) => string
  body?: (world: World) => unknown
  /** Creates a record of acme that the next success may delete, and returns its SID for the last parameter. */
  disposableTarget?: { path: string; body: (world: World) => object }
  responses: Record<ActorName, ExpectedResponse>
  /** Responses for API keys that differ from those for users. */
  keys?: Partial<Record<ActorName, ExpectedResponse>>
}

export const json = (status: number, msg: string, field?: string): ExpectedResponse => ({
  status,
  body: { msg, ...(field ? { field } : {}) },
})
export const empty = (status: number): ExpectedResponse => ({ status })
export const text = (status: number): ExpectedResponse => ({
  status,
  body: { 403: 'Forbidden', 404: 'Not Found' }[status],
})
export const permissions = json(403, 'insufficient permissions')
export const privileges = json(403, 'insufficient privileges')
/** The speech routes capitalise it. */
export const speechPrivileges = json(403, 'Insufficient privileges')
export const stop = 'insufficient privileges'
export const gate: ExpectedResponse = { status: 403, body: { status: 'fail', message: stop, msg: stop } }
export const notThisProvider = json(403, 'insufficient permissions to update service provider')
export const otherCarrier = json(422, 'carrier belongs to a different user')

export type Foreign = [south: ExpectedResponse, bolt: ExpectedResponse, corp: ExpectedResponse]
/** For the admin, the owner's provider and the owner; then the other provider, a sibling account and a foreign account. */
export const owners = (...[south, bolt, corp]: Foreign) =>
  ({ admin: 'ok', north: 'ok', acme: 'ok', south, bolt, corp }) as Row['responses']
export const foreign = (response: ExpectedResponse): Foreign => [response, response, response]
export const providers = (response: ExpectedResponse): Row['responses'] => ({
  ...owners(...foreign(response)),
  acme: response,
})
export const onlyAdmin = (response: ExpectedResponse): Row['responses'] => ({ ...providers(response), north: response })
/** Records of the provider and its accounts. */
export const underProvider = (response: ExpectedResponse): Row['responses'] => ({ ...owners(response, 'ok', response) })
export const allowed = owners('ok', 'ok', 'ok')
export const anonymous = (response: ExpectedResponse): Row['responses'] => ({ ...onlyAdmin(response), admin: response })
export const ownOnly = (response: ExpectedResponse): Row['responses'] => ({ ...onlyAdmin(response), acme: 'ok' })
export const unknownTable = json(400, 'unknown lcr_sid')
export const unknownAccount = json(400, 'unknown account_sid', 'account_sid')
export const noContent = json(400, 'no updates requested')
