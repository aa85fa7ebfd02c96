import type { Store } from '../db/repository'
import { createBucketCredentialRepository } from '../resources/accounts/bucket-credentials'
import { createAccountRepository } from '../resources/accounts/repository'
import { createApiKeyRepository } from '../resources/api-keys/repository'
import { createApplicationRepository } from '../resources/applications/repository'
import { createClientRepository } from '../resources/clients/repository'
import { createEmailChangeRepository } from '../resources/email-changes/repository'
import { createGoogleCustomVoiceRepository } from '../resources/google-custom-voices/repository'
import { createLcrCarrierSetEntryRepository } from '../resources/lcr-carrier-set-entries/repository'
import { createLcrRouteRepository } from '../resources/lcr-routes/repository'
import { createLcrRepository } from '../resources/lcrs/repository'
import { createLimitRepository } from '../resources/limits/repository'
import { createMsTeamsTenantRepository } from '../resources/ms-teams-tenants/repository'
import { createResetLinkRepository } from '../resources/password-reset/repository'
import { createPhoneNumberRepository } from '../resources/phone-numbers/repository'
import { createSavedViewRepository } from '../resources/saved-views/repository'
import { createProviderRepository } from '../resources/service-providers/repository'
import { createSipGatewayRepository } from '../resources/sip-gateways/repository'
import { createSmppGatewayRepository } from '../resources/smpp-gateways/repository'
import { createSpeechCredentialRepository } from '../resources/speech-credentials/repository'
import { createUserRepository } from '../resources/users/repository'
import { createVoipCarrierRepository } from '../resources/voip-carriers/repository'
import { createWebhookRepository } from '../resources/webhooks/repository'
import type { SecretEncryption } from '../secrets/encryption'

/** Creates the repository of every resource. */
export const createRepositories = (
  store: Store,
  encryption: SecretEncryption,
  { maxUnusedWebhooks }: { maxUnusedWebhooks: number },
) => {
  const webhookRepository = createWebhookRepository(store, { maxUnused: maxUnusedWebhooks })
  const userRepository = createUserRepository(store)
  const emailChangeRepository = createEmailChangeRepository(store, userRepository)
  const lcrCarrierSetEntryRepository = createLcrCarrierSetEntryRepository(store)
  const lcrRouteRepository = createLcrRouteRepository(store, lcrCarrierSetEntryRepository)
  return {
    users: userRepository,
    emailChanges: emailChangeRepository,
    resetLinks: createResetLinkRepository(store, emailChangeRepository),
    webhooks: webhookRepository,
    providers: createProviderRepository(store, webhookRepository),
    accounts: createAccountRepository(store, encryption, webhookRepository),
    bucketCredentials: createBucketCredentialRepository(store, encryption),
    applications: createApplicationRepository(store, encryption, webhookRepository),
    apiKeys: createApiKeyRepository(store),
    voipCarriers: createVoipCarrierRepository(store),
    sipGateways: createSipGatewayRepository(store),
    smppGateways: createSmppGatewayRepository(store),
    lcrs: createLcrRepository(store, lcrRouteRepository),
    lcrRoutes: lcrRouteRepository,
    lcrCarrierSetEntries: lcrCarrierSetEntryRepository,
    phoneNumbers: createPhoneNumberRepository(store),
    limits: createLimitRepository(store),
    msTeamsTenants: createMsTeamsTenantRepository(store),
    savedViews: createSavedViewRepository(store),
    clients: createClientRepository(store, encryption),
    speechCredentials: createSpeechCredentialRepository(store, encryption),
    googleCustomVoices: createGoogleCustomVoiceRepository(store),
  }
}
