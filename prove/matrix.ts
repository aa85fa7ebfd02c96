import { send } from './http'
import { fillPath, readOperations, type Operation } from './openapi'
import { buildSampleBody } from './samples'
import type { Actor, Tenant, TestTenancy } from './tenancy'

/** Routes that would end the sessions of the proof, or that are public on purpose. */
const excludedPaths = new Set([
  '/v1/login',
  '/v1/logout',
  '/v1/change-password',
  '/v1/AccountTest/{service_provider_sid}',
])

/** Values for parameters that name no record of a tenant. */
const fixedParameters: Record<string, string> = {
  page: '1',
  count: '25',
  method: 'invite',
  yyyy: '2026',
  mm: '11',
  dd: '23',
  format: 'wav',
  user: 'someone',
  provider: 'sample',
  predefined_carrier_sid: '7d509a18-bbff-4c5d-b21e-b99bf8f8c49a',
}

/** Returns the foreign text that a response contains; markers and SIDs that the request itself sent do not count. */
const findLeak = (text: string, sentText: string, actor: Actor, tenants: Tenant[]): string | undefined => {
  for (const tenant of tenants) {
    const hiddenTexts: string[] = []
    if (!actor.readableTenants.has(tenant)) hiddenTexts.push(tenant.marker, ...Object.values(tenant.ids))
    if (!actor.secretTenants.has(tenant)) hiddenTexts.push(tenant.secret)
    const leakedText = hiddenTexts.find((hiddenText) => text.includes(hiddenText) && !sentText.includes(hiddenText))
    if (leakedText) return `${leakedText} of ${tenant.name}`
  }
  return undefined
}

/** Whether a GET request has side effects, such as a connection test, so that two equal requests may differ. */
const hasEffect = (path: string) => /\/(test|supportedLanguagesAndVoices)$|AppEnv|Availability|Users\/me/.test(path)

/** Columns that change through use alone. */
const volatileColumns = new Set(['last_used', 'last_tested', 'tts_tested_ok', 'stt_tested_ok', 'total'])

/** Returns a response without volatile columns; of a list, only the rows that belong to the tenant. */
const normalize = (text: string, { accountSid }: Tenant): string => {
  const omitVolatile = (key: string, value: unknown) => (volatileColumns.has(key) ? undefined : value)
  try {
    const body = JSON.parse(text) as unknown
    if (!Array.isArray(body)) return JSON.stringify(body, omitVolatile)
    const rows = body as { account_sid?: string | null }[]
    return JSON.stringify(
      rows.filter(({ account_sid = accountSid }) => account_sid === accountSid),
      omitVolatile,
    )
  } catch {
    return text
  }
}

/**
 * Fills in an operation's path and appends its required query parameters, and with `hasFilters` also those that name a
 * record. Returns undefined if a placeholder has no value.
 */
const fillUrl = (
  { path, parameters }: Operation,
  valueOf: (name: string) => string | undefined,
  hasFilters: boolean,
): string | undefined => {
  const filledPath = fillPath(path, valueOf)
  const query = new URLSearchParams(
    parameters.flatMap(({ in: place, name, required }) => {
      const value = place === 'query' && (required || (hasFilters && name.endsWith('_sid'))) ? valueOf(name) : undefined
      return value ? [[name, value]] : []
    }),
  )
  return filledPath !== undefined && query.size > 0 ? `${filledPath}?${query}` : filledPath
}

/** Reads every record of a tenant as administrator, for a comparison before and after. */
const readTenant = async (url: string, admin: string, tenant: Tenant, reads: Operation[]): Promise<string[]> => {
  const lines: string[] = []
  for (const read of reads) {
    const { path } = read
    const isRecord = path.endsWith('}')
    // A provider's lists contain records that its accounts add.
    if (!path.includes('{') || hasEffect(path) || (!isRecord && !tenant.accountSid)) continue
    const filledUrl = fillUrl(read, (name) => tenant.ids[name] ?? fixedParameters[name], false)
    if (filledUrl === undefined) continue
    const { status, text } = await send(url, admin, 'GET', filledUrl)
    lines.push(`${filledUrl} ${status} ${normalize(text, tenant)}`)
  }
  if (lines.length === 0) throw new Error(`no record of ${tenant.name} is compared`)
  return lines
}

type Readings = ReadonlyMap<Tenant, string[]>

interface Attempt {
  path: string
  body?: unknown
}

/**
 * The requests that aim an operation at a target: with all of its SIDs, and with the actor's own tenant but the
 * target's record.
 */
const buildAttempts = (operation: Operation, actor: Actor, target: Tenant): Attempt[] => {
  const { method, body } = operation
  const tenantIds = actor.tenant?.ids ?? {}
  const isOwnerParameter = (name: string) => name === 'account_sid' || name === 'service_provider_sid'
  const foreignValue = (name: string) => target.ids[name] ?? fixedParameters[name]
  const mixedValue = (name: string) => (isOwnerParameter(name) ? tenantIds[name] : undefined) ?? foreignValue(name)
  const attempts: Attempt[] = []
  for (const valueOf of [foreignValue, mixedValue]) {
    const path = fillUrl(operation, valueOf, true)
    if (path === undefined) continue
    if (method === 'GET' || method === 'DELETE' || !body) attempts.push({ path })
    else for (const sidOf of [foreignValue, mixedValue]) attempts.push({ path, body: buildSampleBody(body, sidOf) })
  }
  return [...new Map(attempts.map((attempt) => [JSON.stringify(attempt), attempt])).values()]
}

/**
 * Sends every operation as every actor at every tenant that the actor may not change (for reads: at every tenant).
 * Reports responses that contain data the actor may not see, foreign records that change, and 5xx responses.
 * @param isShort only three actors, and no comparison after requests that were all refused
 */
export const proveIsolation = async (
  url: string,
  admin: string,
  tenancy: TestTenancy,
  isShort: boolean,
): Promise<string[]> => {
  const failures: string[] = []
  const { tenants } = tenancy
  const shortActors = ['key of A', 'user of A1', 'viewer of A1']
  const actors = isShort ? tenancy.actors.filter(({ name }) => shortActors.includes(name)) : tenancy.actors
  const operations = (await readOperations(url)).filter(({ path }) => !excludedPaths.has(path))
  const reads = operations.filter(({ method }) => method === 'GET')
  const readAll = async () =>
    new Map(
      await Promise.all(tenants.map(async (tenant) => [tenant, await readTenant(url, admin, tenant, reads)] as const)),
    )

  /** Returns whether any of the requests was accepted. */
  const attempt = async (operation: Operation, actor: Actor, target: Tenant): Promise<boolean> => {
    let isAccepted = false
    const attemptText = `${operation.method} ${operation.path} as ${actor.name} at ${target.name}`
    for (const { path, body } of buildAttempts(operation, actor, target)) {
      const { status, text } = await send(url, actor.token, operation.method, path, body)
      isAccepted ||= status < 400
      const sentText = `${path} ${JSON.stringify(body ?? '')}`
      if (status >= 500 && status !== 503)
        failures.push(`${attemptText}: ${status} ${text.slice(0, 200)} for ${sentText}`)
      const leak = findLeak(text, sentText, actor, tenants)
      if (leak) failures.push(`${attemptText}: ${status}, the response contains ${leak}`)
    }
    return isAccepted
  }

  /** Reports tenants that changed although the actor may not change them. */
  const reportChanges = (operation: Operation, actor: Actor, before: Readings, after: Readings) => {
    for (const tenant of tenants.filter((candidate) => !actor.writableTenants.has(candidate))) {
      const changedLine = after.get(tenant)?.find((line) => !before.get(tenant)?.includes(line))
      if (!changedLine) continue
      failures.push(
        `${operation.method} ${operation.path} as ${actor.name} changed ${tenant.name}: ${changedLine.slice(0, 300)}`,
      )
    }
  }

  for (const operation of reads) {
    for (const actor of actors) for (const target of tenants) await attempt(operation, actor, target)
  }
  let before = await readAll()
  for (const operation of operations.filter(({ method }) => method !== 'GET')) {
    for (const actor of actors) {
      let isAccepted = false
      for (const target of tenants) {
        if (!actor.writableTenants.has(target)) isAccepted = (await attempt(operation, actor, target)) || isAccepted
      }
      if (isShort && !isAccepted) continue
      const after = await readAll()
      reportChanges(operation, actor, before, after)
      before = after
    }
  }
  return [...new Set(failures)]
}
