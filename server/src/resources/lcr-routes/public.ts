export type { LcrRoutes, RouteDraft } from './repository'
