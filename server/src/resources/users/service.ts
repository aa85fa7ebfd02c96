export type { StoredUser } from './repository'
