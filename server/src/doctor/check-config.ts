import type { Config } from '../config/config'

/** The settings that the checks of a server with a database use. */
export type CheckConfig = Pick<
  Config,
  | 'warnings'
  | 'database'
  | 'secrets'
  | 'dataDir'
  | 'redis'
  | 'clickHouseUrl'
  | 'mail'
  | 'bucketPrivateTargets'
  | 'telemetry'
>
