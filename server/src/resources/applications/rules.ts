import type { Actor } from '@trunkline/contract/policy/actor'
import type { EnvValues } from '@trunkline/contract/telephony/app-env'
import type { Row } from '../../db/repository-options'
import type { FetchAppEnvSchema } from '../../ports/app-env'
import { missingField } from '../../shared/refusals'
import type { WebhookDraft, Webhooks } from '../webhooks/public'
import { checkEnvVars } from './app-env'
import type { StoredApplication } from './repository'

const requiredWebhookFields = ['call_hook', 'call_status_hook'] as const

/** Refuses to remove a required webhook, because calls would fail. An application that never had it stays valid. */
export const checkRequiredWebhooks = (changes: Row, current: StoredApplication): void => {
  for (const field of requiredWebhookFields) {
    const draft = changes[field] as WebhookDraft | null | undefined
    if (current[field] && (draft === null || draft?.url === '')) throw missingField(`${field}.url`)
  }
}

interface EnvVarsContext {
  actor: Actor
  webhooks: Pick<Webhooks, 'findLinkable'>
  fetchAppEnvSchema: FetchAppEnvSchema
  current?: StoredApplication
}

/** The URL that the call webhook will have once the draft is saved. A draft may link a webhook by its SID alone. */
const resolveCallHookUrl = async (
  draft: WebhookDraft | null | undefined,
  { actor, webhooks, current }: EnvVarsContext,
): Promise<string | undefined> => {
  if (draft?.url) return draft.url
  if (draft?.webhook_sid && draft.webhook_sid !== current?.call_hook_sid)
    return (await webhooks.findLinkable(draft.webhook_sid, { actor, field: 'call_hook' })).url
  return current?.call_hook?.url
}

/** Checks the environment variables of a body against its call webhook, or against the stored one if it has none. */
export const checkNewEnvVars = async ({ env_vars, call_hook }: Row, context: EnvVarsContext): Promise<void> => {
  if (!env_vars) return
  const url = await resolveCallHookUrl(call_hook as WebhookDraft | null | undefined, context)
  await checkEnvVars(context.fetchAppEnvSchema, url, env_vars as EnvValues)
}
