export type { VoipCarriers } from './repository'
export { isOwnerless } from './rules'
