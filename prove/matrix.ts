import { send } from './http'
import { fillPath, readOperations, type Operation } from './openapi'
import { sampleBody } from './samples'
import type { Actor, Tenant, TestWorld } from './world'

/** Routes that would end the sessions of the proof, or that are public on purpose. */
const excludedPaths = new Set([
  '/v1/login',
  '/v1/logout',
  '/v1/change-password',
  '/v1/AccountTest/{service_provider_sid}',
])

/** Values for parameters that name no record of a tenant. */
const fixedParameters: Record<string, string> = {
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
const findLeak = (text: string, sent: string, actor: Actor, tenants: Tenant[]): string | undefined => {
  for (const tenant of tenants) {
    const hiddenTexts: string[] = []
    if (!actor.canRead.has(tenant)) hiddenTexts.push(tenant.marker, ...Object.values(tenant.ids))
    if (!actor.canSeeSecrets.has(tenant)) hiddenTexts.push(tenant.secret)
    const leakedText = hiddenTexts.find((each) => text.includes(each) && !sent.includes(each))
    if (leakedText) return `${leakedText} of ${tenant.name}`
  }
  return undefined
}

/** Reads with side effects, such as a connection test, which therefore cannot show that nothing has changed. */
const hasEffect = (path: string) => /\/(test|supportedLanguagesAndVoices)$|AppEnv|Availability|Users\/me/.test(path)

/** Columns that change through use alone. */
const volatileColumns = new Set(['last_used', 'last_tested', 'tts_tested_ok', 'stt_tested_ok', 'total'])

/** Returns a response without volatile columns; of a list, only the rows that belong to the tenant. */
const normalize = (text: string, { accountSid }: Tenant): string => {
  const clean = (key: string, value: unknown) => (volatileColumns.has(key) ? undefined : value)
  try {
    const answer = JSON.parse(text) as unknown
    if (!Array.isArray(answer)) return JSON.stringify(answer, clean)
    const rows = answer as { account_sid?: string | null }[]
    return JSON.stringify(
      rows.filter(({ account_sid = accountSid }) => account_sid === accountSid),
      clean,
    )
  } catch {
    return text
  }
}

/** Reads every record of a tenant as administrator, for a comparison before and after. */
const readTenant = async (url: string, admin: string, tenant: Tenant, reads: Operation[]): Promise<string[]> => {
  const lines: string[] = []
  for (const { path } of reads) {
    const isRecord = path.endsWith('}')
    // A provider's lists contain records that its accounts add.
    if (!path.includes('{') || hasEffect(path) || (!isRecord && !tenant.accountSid)) continue
    const filled = fillPath(path, (name) => tenant.ids[name])
    if (filled === undefined || filled.includes(tenant.ids.call_sid ?? '-')) continue
    const { status, text } = await send(url, admin, 'GET', filled)
    lines.push(`${filled} ${status} ${normalize(text, tenant)}`)
  }
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
const attemptsAt = ({ method, path, parameters, body }: Operation, actor: Actor, target: Tenant): Attempt[] => {
  const home = actor.home?.ids ?? {}
  const isOwner = (name: string) => name === 'account_sid' || name === 'service_provider_sid'
  const foreign = (name: string) => target.ids[name] ?? fixedParameters[name]
  const mixed = (name: string) => (isOwner(name) ? home[name] : undefined) ?? foreign(name)
  const queries = parameters.filter(({ in: place, name }) => place === 'query' && name.endsWith('_sid'))
  const attempts: Attempt[] = []
  for (const valueOf of [foreign, mixed]) {
    const filled = fillPath(path, valueOf)
    if (filled === undefined) continue
    const query = new URLSearchParams(
      queries.flatMap(({ name }) => (valueOf(name) ? [[name, valueOf(name) ?? '']] : [])),
    )
    const address = query.size > 0 ? `${filled}?${query}` : filled
    if (method === 'GET' || method === 'DELETE' || !body) attempts.push({ path: address })
    else for (const sidOf of [foreign, mixed]) attempts.push({ path: address, body: sampleBody(body, sidOf) })
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
  world: TestWorld,
  isShort: boolean,
): Promise<string[]> => {
  const failures: string[] = []
  const { tenants } = world
  const shortActors = ['key of A', 'user of A1', 'viewer of A1']
  const actors = isShort ? world.actors.filter(({ name }) => shortActors.includes(name)) : world.actors
  const operations = (await readOperations(url)).filter(({ path }) => !excludedPaths.has(path))
  const reads = operations.filter(({ method }) => method === 'GET')
  const readAll = async () =>
    new Map(
      await Promise.all(tenants.map(async (tenant) => [tenant, await readTenant(url, admin, tenant, reads)] as const)),
    )

  /** Returns whether any of the requests was accepted. */
  const attempt = async (operation: Operation, actor: Actor, target: Tenant): Promise<boolean> => {
    let isAccepted = false
    const call = `${operation.method} ${operation.path} as ${actor.name} at ${target.name}`
    for (const { path, body } of attemptsAt(operation, actor, target)) {
      const { status, text } = await send(url, actor.token, operation.method, path, body)
      isAccepted ||= status < 400
      const sent = `${path} ${JSON.stringify(body ?? '')}`
      if (status >= 500 && status !== 503) failures.push(`${call}: ${status} ${text.slice(0, 200)} for ${sent}`)
      const leak = findLeak(text, sent, actor, tenants)
      if (leak) failures.push(`${call}: ${status}, the response contains ${leak}`)
    }
    return isAccepted
  }

  /** Reports tenants that changed although the actor may not change them. */
  const compare = (operation: Operation, actor: Actor, before: Readings, after: Readings) => {
    for (const tenant of tenants.filter((each) => !actor.canWrite.has(each))) {
      const changed = after.get(tenant)?.find((line) => !before.get(tenant)?.includes(line))
      if (!changed) continue
      failures.push(
        `${operation.method} ${operation.path} as ${actor.name} changed ${tenant.name}: ${changed.slice(0, 300)}`,
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
        if (!actor.canWrite.has(target)) isAccepted = (await attempt(operation, actor, target)) || isAccepted
      }
      if (isShort && !isAccepted) continue
      const after = await readAll()
      compare(operation, actor, before, after)
      before = after
    }
  }
  return [...new Set(failures)]
}
