import { findWebhookUrlError } from '@trunkline/contract/telephony/webhook-url'
import type { Row } from '../../db/repository-options'
import { badRequest } from '../../http/problem'

/** A webhook in a validated body. */
export interface WebhookDraft {
  webhook_sid?: string
  url?: string
  method?: 'GET' | 'POST'
  username?: string | null
  password?: string | null
}

/** Throws unless username and password are both set or both empty after the update. */
export const checkLogin = (
  current: WebhookDraft | undefined,
  { username, password }: WebhookDraft,
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

type WebhookUrls<Name extends string> = Partial<Record<Name, { url: string } | null>>

/** Throws for an invalid webhook URL, except for one that is already stored. */
export const checkWebhookUrls = <Name extends string>(
  hookNames: readonly Name[],
  values: Row,
  current: WebhookUrls<Name> = {},
) => {
  for (const hookName of hookNames) {
    const url = (values[hookName] as WebhookDraft | null | undefined)?.url
    const error = url && url !== current[hookName]?.url ? findWebhookUrlError(hookName, url) : undefined
    if (error) throw badRequest(error, `${hookName}.url`)
  }
}
