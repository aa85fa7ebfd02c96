import { defineRoute } from '../kit/route'
import type { SystemHealth } from '../shapes/system-health'

/** A Trunkline addition: server capability `systemHealth`. */
export const systemHealth = defineRoute<{ response: SystemHealth }>()(
  'GET',
  '/SystemHealth',
  'Check the server, its database and the services it uses',
)
