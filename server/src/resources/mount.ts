import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config'
import type { Services } from '../services'
import { accountRoutes } from './accounts/routes'
import { accountTestRoutes } from './account-test/routes'
import { alertRoutes } from './alerts/routes'
import { apiKeyRoutes } from './api-keys/routes'
import { applicationRoutes } from './applications/routes'
import { limitRoutes } from './limits/routes'
import { chargeRoutes } from './charges/routes'
import { clientRoutes } from './clients/routes'
import { lcrRoutes } from './lcrs/routes'
import { lcrRouteRoutes } from './lcr-routes/routes'
import { lcrCarrierSetEntryRoutes } from './lcr-carrier-set-entries/routes'
import { messagingRoutes } from './messaging/routes'
import { msTeamsTenantRoutes } from './ms-teams-tenants/routes'
import { passwordSettingsRoutes } from './password-settings/routes'
import { phoneNumberRoutes } from './phone-numbers/routes'
import { predefinedCarrierRoutes } from './predefined-carriers/routes'
import { captureRoutes } from './captures/routes'
import { recordingRoutes } from './recordings/routes'
import { recentCallRoutes } from './recent-calls/routes'
import { systemLogRoutes } from './system-logs/routes'
import { traceRoutes } from './traces/routes'
import { sbcRoutes } from './sbcs/routes'
import { serviceProviderRoutes } from './service-providers/routes'
import { emailRoutes } from './email-changes/routes'
import { resetRoutes } from './password-reset/routes'
import { sessionRoutes } from './session/routes'
import { liveCallRoutes } from './live-calls/routes'
import { registeredUserRoutes } from './registered-users/routes'
import { sipGatewayRoutes } from './sip-gateways/routes'
import { systemInformationRoutes } from './system-information/routes'
import { speechCredentialRoutes } from './speech-credentials/routes'
import { googleCustomVoiceRoutes } from './google-custom-voices/routes'
import { ttsCacheRoutes } from './tts-cache/routes'
import { smppGatewayRoutes } from './smpp-gateways/routes'
import { smppRoutes } from './smpps/routes'
import { availabilityRoutes } from './availability/routes'
import { userRoutes } from './users/routes'
import { voipCarrierRoutes } from './voip-carriers/routes'
import { webhookRoutes } from './webhooks/routes'

/** Mounts the routes of every resource. */
export const mountResources = (
  app: FastifyInstance,
  services: Services,
  config: Pick<Config, 'adminCarrier' | 'minimumNetmask' | 'features' | 'publicUrl' | 'rateLimit' | 'platform'>,
): void => {
  sessionRoutes(app, services)
  resetRoutes(app, services, config)
  emailRoutes(app, services)
  userRoutes(app, services, config)
  availabilityRoutes(app, services)
  passwordSettingsRoutes(app, services)
  systemInformationRoutes(app, services)
  ttsCacheRoutes(app, services)
  limitRoutes(app, services, config.features)
  serviceProviderRoutes(app, services)
  accountRoutes(app, services)
  apiKeyRoutes(app, services)
  applicationRoutes(app, services)
  webhookRoutes(app, services)
  voipCarrierRoutes(app, services, config)
  sipGatewayRoutes(app, services, config)
  smppGatewayRoutes(app, services)
  smppRoutes(app, services)
  lcrRoutes(app, services)
  lcrRouteRoutes(app, services)
  lcrCarrierSetEntryRoutes(app, services)
  predefinedCarrierRoutes(app, services, config.adminCarrier)
  sbcRoutes(app, services)
  recentCallRoutes(app, services)
  captureRoutes(app, services)
  recordingRoutes(app, services)
  systemLogRoutes(app, services, config.features)
  liveCallRoutes(app, services, config.platform)
  registeredUserRoutes(app, services)
  chargeRoutes(app, services)
  messagingRoutes(app)
  accountTestRoutes(app, services)
  alertRoutes(app, services)
  traceRoutes(app, services)
  phoneNumberRoutes(app, services, config.adminCarrier)
  msTeamsTenantRoutes(app, services)
  clientRoutes(app, services)
  speechCredentialRoutes(app, services)
  googleCustomVoiceRoutes(app, services)
}
