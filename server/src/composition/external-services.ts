import { createMemoryCache } from '../adapters/cache/memory'
import type { Config } from '../config/config'
import type { HostedEdition } from '../config/hosted-edition'
import type { RedisTarget } from '../config/redis'
import type { Cache } from '../ports/cache'
import type { CallHistory } from '../ports/call-history'
import type { Captures } from '../ports/captures'
import { noPlatform, type LivePlatform } from '../ports/live-platform'
import type { Mail } from '../ports/mail'
import type { OpenObjectStorage } from '../ports/object-storage'
import type { Dns } from '../ports/dns'
import type { PaymentProvider } from '../ports/payment'
import type { Speech } from '../ports/speech'
import type { SystemLogs } from '../ports/system-logs'
import type { Traces } from '../ports/traces'

/** External services. The defaults need no installation. */
export interface ExternalServices {
  cache: Cache
  /** If absent, no mail is sent, and routes that need mail are not mounted. */
  mail?: Mail
  /** Defaults to our own tables. */
  callHistory?: CallHistory
  /** Captured SIP messages; defaults to our own tables. */
  captures?: Captures
  /** The live state of the voice platform; absent if none is connected. */
  livePlatform?: LivePlatform
  /** Defaults to requests to the vendors. */
  speech?: Speech
  /** Traces of calls; defaults to our own tables. */
  traces?: Traces
  /** Publishes the SIP realms of accounts; absent if somebody else does, as with a wildcard record. */
  dns?: Dns
  /** Sells paid plans; absent if payment is not configured. */
  payment?: PaymentProvider
  /** Logs of the platform's servers; absent if unavailable. */
  systemLogs?: SystemLogs
  /** Opens the storage for an account's recordings; defaults to the account's bucket. */
  openStorage?: OpenObjectStorage
}

/** Without Redis the live state of calls is unknown, but a configured feature server can start calls. */
const createStaticPlatform = ({ featureServerUrl }: Config['platform']) =>
  featureServerUrl
    ? { livePlatform: { ...noPlatform, listFeatureServers: () => Promise.resolve([featureServerUrl]) } }
    : {}

const connectRedisPlatform = async (
  redis: RedisTarget,
  { clusterId: cluster, featureServerUrl }: Config['platform'],
): Promise<LivePlatform> => {
  const { createRedisPlatform } = await import('../adapters/live-platform/redis')
  return createRedisPlatform({ redis, cluster, ...(featureServerUrl ? { featureServerUrl } : {}) })
}

/** Connects the store of calls and alerts, if it is not our own database. */
const connectCallHistory = async ({
  influxUrl,
  clickHouseUrl,
  retention,
}: Pick<Config, 'influxUrl' | 'clickHouseUrl' | 'retention'>): Promise<Pick<ExternalServices, 'callHistory'>> => {
  if (influxUrl) {
    const { createInfluxCallHistory } = await import('../adapters/call-history/influx/store')
    return { callHistory: createInfluxCallHistory(influxUrl) }
  }
  if (!clickHouseUrl) return {}
  const { createClickHouseCallHistory } = await import('../adapters/call-history/clickhouse/store')
  return { callHistory: createClickHouseCallHistory(clickHouseUrl, { retention }) }
}

/** The services that only the hosted edition uses. */
const connectHostedServices = async ({ dnsMadeEasy, stripe }: Partial<HostedEdition> = {}) => ({
  ...(dnsMadeEasy ? { dns: (await import('../adapters/dns/dns-made-easy')).createDnsMadeEasy(dnsMadeEasy) } : {}),
  ...(stripe ? { payment: (await import('../adapters/payment/stripe')).createStripePayment(stripe) } : {}),
})

/** Connects the configured external services. Vendor SDKs are imported only if needed. */
export const connectExternalServices = async (config: Config): Promise<ExternalServices> => {
  const { redis, platform, mail, homer, jaegerUrl, awsRegion: region, features, hostedEdition } = config
  return {
    cache: redis ? (await import('../adapters/cache/redis')).createRedisCache(redis) : createMemoryCache(),
    ...(redis ? { livePlatform: await connectRedisPlatform(redis, platform) } : createStaticPlatform(platform)),
    ...(await connectCallHistory(config)),
    ...(homer ? { captures: (await import('../adapters/captures/homer')).createHomerCaptures(homer) } : {}),
    ...(jaegerUrl ? { traces: (await import('../adapters/traces/jaeger')).createJaegerTraces(jaegerUrl) } : {}),
    ...(region
      ? { systemLogs: (await import('../adapters/system-logs/cloud-watch')).createCloudWatchLogs({ region }) }
      : {}),
    ...(await connectHostedServices(hostedEdition)),
    ...(mail && (features.forgotPassword || hostedEdition)
      ? { mail: (await import('../adapters/mail/smtp')).createSmtpMail(mail) }
      : {}),
  }
}
