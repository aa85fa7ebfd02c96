import { findWebhookUrlError } from '@trunkline/contract/telephony/webhook-url'
import type { Row } from '../../db/repository-options'
import { badRequest } from '../../http/problem'

/** A webhook in a validated body. */
export interface HookDraft {
  webhook_sid?: string
  url?: string
  method?: 'GET' | 'POST'
  username?: string | null
  password?: string | null
}

/** Throws unless username and password are both set or both empty. The body may contain only one of them. */
export const checkLogin = (
  current: HookDraft | undefined,
  { username, password }: HookDraft,
  hookName: string,
): void => {
  if (username === undefined && password === undefined) return
  const updated = { username: current?.username, password: current?.password }
  if (username !== undefined) updated.username = username
  if (password !== undefined) updated.password = password
  if (Boolean(updated.username) === Boolean(updated.password)) return
  const [missingField, presentField] = updated.username ? ['password', 'username'] : ['username', 'password']
  throw badRequest(`${missingField} is required together with ${presentField}`, `${hookName}.${missingField}`)
}

type HookUrls<Name extends string> = Partial<Record<Name, { url: string } | null>>

/** Throws if a webhook URL is invalid. A stored invalid URL may be repeated. */
export const checkHookUrls = <Name extends string>(
  names: readonly Name[],
  values: Row,
  current: HookUrls<Name> = {},
) => {
  for (const name of names) {
    const url = (values[name] as HookDraft | null | undefined)?.url
    const error = url && url !== current[name]?.url ? findWebhookUrlError(name, url) : undefined
    if (error) throw badRequest(error, `${name}.url`)
  }
}
