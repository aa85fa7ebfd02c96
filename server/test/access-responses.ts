import type { ActorName, TestData } from './test-data'

/** The expected response: 'ok' for the route's success, or the exact refusal. */
export type ExpectedResponse = 'ok' | { status: number; body?: unknown }

export interface AccessCase {
  /** `METHOD /path/with/:params`, as in the contract. */
  route: string
  /** Parameters, query and body. By default they refer to acme's records. */
  params?: (testData: TestData) => Record<string, string>
  query?: (testData: TestData) => string
  body?: (testData: TestData) => unknown
  /** Creates a record of acme that the next success may delete, and returns its SID for the last parameter. */
  disposableTarget?: { path: string; body: (testData: TestData) => object }
  responses: Record<ActorName, ExpectedResponse>
  /** Responses for API keys that differ from those for users. */
  keyResponses?: Partial<Record<ActorName, ExpectedResponse>>
}

export const jsonResponse = (status: number, msg: string, field?: string): ExpectedResponse => ({
  status,
  body: { msg, ...(field ? { field } : {}) },
})
export const emptyResponse = (status: number): ExpectedResponse => ({ status })
export const textResponse = (status: number): ExpectedResponse => ({
  status,
  body: { 403: 'Forbidden', 404: 'Not Found' }[status],
})
export const noPermissions = jsonResponse(403, 'insufficient permissions')
export const noPrivileges = jsonResponse(403, 'insufficient privileges')
/** The speech routes capitalise the message. */
export const noSpeechPrivileges = jsonResponse(403, 'Insufficient privileges')
export const privilegesMessage = 'insufficient privileges'
export const tenantRefusal: ExpectedResponse = {
  status: 403,
  body: { status: 'fail', message: privilegesMessage, msg: privilegesMessage },
}
export const foreignProviderRefusal = jsonResponse(403, 'insufficient permissions to update service provider')
export const foreignCarrierRefusal = jsonResponse(422, 'carrier belongs to a different user')

export type ForeignResponses = [south: ExpectedResponse, bolt: ExpectedResponse, corp: ExpectedResponse]
/** Success for the administrator, the owner's provider and the owner; these responses for all others. */
export const okForOwners = (...[south, bolt, corp]: ForeignResponses) =>
  ({ admin: 'ok', north: 'ok', acme: 'ok', south, bolt, corp }) as AccessCase['responses']
export const sameForForeign = (response: ExpectedResponse): ForeignResponses => [response, response, response]
export const okForProvider = (response: ExpectedResponse): AccessCase['responses'] => ({
  ...okForOwners(...sameForForeign(response)),
  acme: response,
})
export const okForAdmin = (response: ExpectedResponse): AccessCase['responses'] => ({
  ...okForProvider(response),
  north: response,
})
/** Success for everyone in the provider: records that the provider shares with its accounts. */
export const okUnderProvider = (response: ExpectedResponse): AccessCase['responses'] => ({
  ...okForOwners(response, 'ok', response),
})
export const okForEveryone = okForOwners('ok', 'ok', 'ok')
export const sameForEveryone = (response: ExpectedResponse): AccessCase['responses'] => ({
  ...okForAdmin(response),
  admin: response,
})
export const okForAdminAndOwner = (response: ExpectedResponse): AccessCase['responses'] => ({
  ...okForAdmin(response),
  acme: 'ok',
})
export const unknownLcr = jsonResponse(400, 'unknown lcr_sid')
export const unknownAccount = jsonResponse(400, 'unknown account_sid', 'account_sid')
export const noUpdates = jsonResponse(400, 'no updates requested')
