import { messages as account } from '../../contract/src/messages/account'
import { messages as apiKey } from '../../contract/src/messages/api-key'
import { messages as application } from '../../contract/src/messages/application'
import { messages as bucket } from '../../contract/src/messages/bucket'
import { messages as carrier } from '../../contract/src/messages/voip-carrier'
import { messages as client } from '../../contract/src/messages/client'
import { messages as general } from '../../contract/src/messages/general'
import { messages as routing } from '../../contract/src/messages/lcr'
import { messages as limit } from '../../contract/src/messages/limit'
import { messages as teams } from '../../contract/src/messages/ms-teams-tenant'
import { messages as password } from '../../contract/src/messages/password'
import { messages as reset } from '../../contract/src/messages/password-reset'
import { messages as number } from '../../contract/src/messages/phone-number'
import { messages as provider } from '../../contract/src/messages/service-provider'
import { messages as session } from '../../contract/src/messages/session'
import { messages as speech } from '../../contract/src/messages/speech-credential'
import { messages as settings } from '../../contract/src/messages/system-information'
import { messages as cache } from '../../contract/src/messages/tts-cache'
import { messages as user } from '../../contract/src/messages/user'

/** The screen on which a test expects a message. */
export type Screen =
  | 'anywhere'
  | 'sign-in'
  | 'create-password'
  | 'forgot-password'
  | 'reset-password'
  | 'users'
  | 'settings'
  | 'service-providers'
  | 'accounts'
  | 'applications'
  | 'carriers'
  | 'phone-numbers'
  | 'ms-teams-tenants'
  | 'clients'
  | 'least-cost-routing'
  | 'speech-services'

export interface CatalogueEntry {
  screen: Screen
  text: string
}

const entries = (screen: Screen, ...texts: string[]): CatalogueEntry[] => texts.map((text) => ({ screen, text }))

/** Placeholders for the variable part of a message. */
const namePlaceholder = '{name}'
const textPlaceholder = '{text}'

/** The messages that the specification fixes, with the screen of each. The texts come from the contract's messages. */
export const catalogue: readonly CatalogueEntry[] = [
  ...entries('anywhere', session.expired, session.unreachable, session.mustLogIn, session.loggedOut),
  ...entries('anywhere', general.noAccess, general.screenNotFound, general.crashed, general.asterisk),
  ...entries('anywhere', general.copied(textPlaceholder), general.notCopied(textPlaceholder)),
  ...entries('sign-in', session.wrongCredentials, session.failed),
  ...entries('create-password', password.differ, session.capsLock, password.rule.title),
  ...entries('create-password', password.rule.length(8), password.rule.digit, password.rule.special),
  ...entries('forgot-password', reset.sent),
  ...entries('reset-password', reset.mismatch, reset.tooShort, reset.noLetter, reset.passwordSet),
  ...entries('users', user.added, user.saved, user.removed(namePlaceholder), user.invalidPassword, user.noAccounts),
  ...entries(
    'settings',
    provider.saved,
    settings.passwordSaved,
    cache.cleared,
    general.mayNotManageSettings,
    limit.quantity,
  ),
  ...entries('service-providers', provider.added(namePlaceholder), provider.removed(namePlaceholder)),
  ...entries(
    'accounts',
    account.added,
    account.saved,
    account.removed(namePlaceholder),
    account.duplicateName,
    account.duplicateSipRealm,
  ),
  ...entries(
    'accounts',
    account.mayNotListAllAccounts,
    general.mayNotChange('Account'),
    account.secretGenerated,
    account.trialExpired,
  ),
  ...entries('accounts', account.removeOwn.confirmationPhrase, account.removeOwn.wrongPhrase),
  ...entries('accounts', apiKey.added, apiKey.removed, apiKey.neverUsed, bucket.valid, bucket.serviceKey.notJson),
  ...entries(
    'applications',
    application.added,
    application.saved,
    application.removed(namePlaceholder),
    application.duplicateName,
  ),
  ...entries('applications', application.noAccess),
  ...entries(
    'carriers',
    carrier.none,
    carrier.added,
    carrier.saved,
    carrier.removed(namePlaceholder),
    carrier.gatewayRemoved,
  ),
  ...entries('carriers', carrier.smppGatewayRemoved('outbound'), carrier.smppGatewayRemoved('inbound')),
  ...entries('carriers', `${carrier.sendCallsTo} {realm}`, carrier.checkingGateways, carrier.gatewaysError),
  ...entries('carriers', carrier.registered, carrier.unregistered, carrier.notStarted),
  ...entries('carriers', carrier.mayNotRemove, general.mayNotChange('Carrier')),
  ...entries('carriers', carrier.gateway.atLeastOne, carrier.gateway.fqdnOutboundOnly, carrier.gateway.invalidAddress),
  ...entries('carriers', carrier.gateway.duplicate, carrier.smpp.atLeastOneOutbound, carrier.smpp.subdomain('{host}')),
  ...entries('carriers', carrier.smpp.invalidAddress('outbound'), carrier.smpp.invalidAddress('inbound')),
  ...entries('carriers', carrier.smpp.duplicate('outbound'), carrier.smpp.duplicate('inbound')),
  ...entries('least-cost-routing', routing.purpose, routing.none, routing.added, routing.saved, routing.routesSaved),
  ...entries(
    'least-cost-routing',
    routing.routeRemoved,
    routing.removed(namePlaceholder),
    routing.removedOnScreen(namePlaceholder),
  ),
  ...entries('least-cost-routing', routing.mayNotListAllLcrs, routing.noCarriers, routing.noCarriersOfAccount),
  ...entries('phone-numbers', number.added, number.saved, number.removed('{number}'), number.duplicateNumber),
  ...entries('phone-numbers', number.updating, number.updated, number.chooseApplication),
  ...entries(
    'ms-teams-tenants',
    teams.none,
    teams.needsAccount,
    teams.noDomain(namePlaceholder),
    teams.duplicateDomain,
    teams.added,
    teams.saved,
  ),
  ...entries('ms-teams-tenants', teams.confirmRemoval('{domain}'), teams.removed('{domain}')),
  ...entries('clients', client.none, client.realmRequired, client.noRealm, client.added, client.saved),
  ...entries('clients', client.removedOnScreen, client.removed('{username}')),
  ...entries(
    'speech-services',
    speech.added,
    speech.saved,
    speech.removed(namePlaceholder),
    speech.tested,
    speech.mayNotChange,
  ),
  ...entries('speech-services', speech.mayNotRemove, speech.notTested, speech.voiceRequired),
]

const escapeRegExp = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')

/** Returns the catalogue entry of a message, with placeholders for its variable parts. */
export const catalogueTextOf = (message: string): string => {
  const entry = catalogue.find((candidate) =>
    new RegExp(`^${escapeRegExp(candidate.text).replace(/\{\w+\}/g, '.+')}$`).test(message),
  )
  if (!entry) throw new Error(`The catalogue does not contain: ${message}`)
  return entry.text
}
