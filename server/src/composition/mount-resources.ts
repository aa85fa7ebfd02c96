import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config'
import type { Services } from './services'
import { accountRoutes } from '../resources/accounts/routes'
import { accountTestRoutes } from '../resources/account-test/routes'
import { alertRoutes } from '../resources/alerts/routes'
import { apiKeyRoutes } from '../resources/api-keys/routes'
import { applicationRoutes } from '../resources/applications/routes'
import { limitRoutes } from '../resources/limits/routes'
import { chargeRoutes } from '../resources/charges/routes'
import { clientRoutes } from '../resources/clients/routes'
import { dependentRoutes } from '../resources/dependents/routes'
import { lcrApiRoutes } from '../resources/lcrs/routes'
import { lcrRouteApiRoutes } from '../resources/lcr-routes/routes'
import { lcrCarrierSetEntryRoutes } from '../resources/lcr-carrier-set-entries/routes'
import { messagingRoutes } from '../resources/messaging/routes'
import { msTeamsTenantRoutes } from '../resources/ms-teams-tenants/routes'
import { passwordSettingsRoutes } from '../resources/password-settings/routes'
import { phoneNumberRoutes } from '../resources/phone-numbers/routes'
import { predefinedCarrierRoutes } from '../resources/predefined-carriers/routes'
import { captureRoutes } from '../resources/captures/routes'
import { recordCountRoutes } from '../resources/record-counts/routes'
import { recordingRoutes } from '../resources/recordings/routes'
import { recentCallRoutes } from '../resources/recent-calls/routes'
import { systemLogRoutes } from '../resources/system-logs/routes'
import { traceRoutes } from '../resources/traces/routes'
import { savedViewRoutes } from '../resources/saved-views/routes'
import { sbcRoutes } from '../resources/sbcs/routes'
import { serviceProviderRoutes } from '../resources/service-providers/routes'
import { emailChangeRoutes } from '../resources/email-changes/routes'
import { sipRealmRoutes } from '../resources/sip-realms/routes'
import { planRoutes } from '../resources/plans/routes'
import { inviteCodeRoutes } from '../resources/invite-codes/routes'
import { registrationRoutes } from '../resources/registration/routes'
import { passwordResetRoutes } from '../resources/password-reset/routes'
import { sessionRoutes } from '../resources/session/routes'
import { liveCallRoutes } from '../resources/live-calls/routes'
import { registeredUserRoutes } from '../resources/registered-users/routes'
import { subscriptionRoutes } from '../resources/subscriptions/routes'
import { sipGatewayRoutes } from '../resources/sip-gateways/routes'
import { systemHealthRoutes } from '../resources/system-health/routes'
import { systemInformationRoutes } from '../resources/system-information/routes'
import { speechCredentialRoutes } from '../resources/speech-credentials/routes'
import { googleCustomVoiceRoutes } from '../resources/google-custom-voices/routes'
import { ttsCacheRoutes } from '../resources/tts-cache/routes'
import { smppGatewayRoutes } from '../resources/smpp-gateways/routes'
import { smppRoutes } from '../resources/smpps/routes'
import { availabilityRoutes } from '../resources/availability/routes'
import { userRoutes } from '../resources/users/routes'
import { voipCarrierRoutes } from '../resources/voip-carriers/routes'
import { webhookRoutes } from '../resources/webhooks/routes'

/** Mounts the routes of every resource. */
export const mountResources = (
  app: FastifyInstance,
  services: Services,
  config: Pick<Config, 'adminCarrier' | 'minimumNetmask' | 'features' | 'publicUrl' | 'rateLimit' | 'platform'> & {
    version: string
  },
): void => {
  sessionRoutes(app, services)
  passwordResetRoutes(app, services, config)
  emailChangeRoutes(app, services)
  registrationRoutes(app, services, config)
  inviteCodeRoutes(app, services)
  userRoutes(app, services, config)
  savedViewRoutes(app, services)
  availabilityRoutes(app, services)
  passwordSettingsRoutes(app, services)
  systemInformationRoutes(app, services)
  systemHealthRoutes(app, services, config)
  ttsCacheRoutes(app, services)
  limitRoutes(app, services, config.features)
  serviceProviderRoutes(app, services)
  accountRoutes(app, services)
  planRoutes(app, services)
  sipRealmRoutes(app, services)
  subscriptionRoutes(app, services)
  apiKeyRoutes(app, services)
  applicationRoutes(app, services)
  webhookRoutes(app, services)
  voipCarrierRoutes(app, services, config)
  sipGatewayRoutes(app, services, config)
  smppGatewayRoutes(app, services)
  smppRoutes(app, services)
  lcrApiRoutes(app, services)
  lcrRouteApiRoutes(app, services)
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
  dependentRoutes(app, services)
  recordCountRoutes(app, services)
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
