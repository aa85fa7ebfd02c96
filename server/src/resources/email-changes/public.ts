export type { EmailChanges } from './repository'
