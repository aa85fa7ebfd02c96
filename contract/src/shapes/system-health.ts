import * as z from 'zod'

const status = z.enum(['passed', 'warning', 'failed'])

/** One result of a check. `repair` says how to repair what is wrong. */
export const healthFindingSchema = z.object({ status, summary: z.string(), repair: z.string().optional() })

/** A part of the installation that the server checks, as 'Database'. Its status is the worst of its findings. */
export const healthCheckSchema = z.object({
  name: z.string(),
  status,
  /** Earlier than that of the response for a check that is repeated less often. */
  checked_at: z.string(),
  findings: z.array(healthFindingSchema),
})

/** A Trunkline addition: the checks of `npm run doctor`, with the connections of the server that responds. */
export const systemHealthSchema = z.object({
  version: z.string(),
  checked_at: z.string(),
  checks: z.array(healthCheckSchema),
})

export type HealthStatus = z.output<typeof status>
export type HealthFinding = z.output<typeof healthFindingSchema>
export type HealthCheck = z.output<typeof healthCheckSchema>
export type SystemHealth = z.output<typeof systemHealthSchema>
