export type { Webhooks } from './repository'
export { checkHookUrls, type HookDraft } from './rules'
