export type { LcrCarrierSetEntries } from './repository'
