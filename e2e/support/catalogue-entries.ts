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
import { messages as reset } from '../../contract/src/messages/password-reset'
import { messages as number } from '../../contract/src/messages/phone-number'
import { messages as provider } from '../../contract/src/messages/service-provider'
import { messages as session } from '../../contract/src/messages/session'
import { messages as speech } from '../../contract/src/messages/speech-credential'
import { messages as settings } from '../../contract/src/messages/system-information'
import { messages as cache } from '../../contract/src/messages/tts-cache'
import { messages as user } from '../../contract/src/messages/user'

/** The screen that shows a message. */
export type Place =
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

export interface Said {
  at: Place
  sentence: string
}

const at = (place: Place, ...sentences: string[]): Said[] => sentences.map((sentence) => ({ at: place, sentence }))

/** Placeholders for the variable part of a message. */
const name = '{name}'
const text = '{text}'

/** The messages that the console promises, with the screen of each. The texts come from the contract's messages. */
export const catalogue: readonly Said[] = [
  ...at('anywhere', session.expired, session.unreachable, session.mustLogIn, session.loggedOut),
  ...at('anywhere', general.noAccess, general.pageNotFound, general.crashed, general.asterisk),
  ...at('anywhere', general.copied(text), general.notCopied(text)),
  ...at('sign-in', session.wrongCredentials, session.failed),
  ...at('create-password', session.passwordsDiffer, session.capsLock, session.passwordRule.title),
  ...at('create-password', session.passwordRule.length(8), session.passwordRule.digit, session.passwordRule.special),
  ...at('forgot-password', reset.sent),
  ...at('reset-password', reset.mismatch, reset.tooShort, reset.noLetter, reset.passwordSet),
  ...at('users', user.added, user.saved, user.removed(name), user.invalidPassword, user.noAccounts),
  ...at(
    'settings',
    provider.saved,
    settings.passwordSaved,
    cache.cleared,
    general.mayNotManageSettings,
    limit.quantity,
  ),
  ...at('service-providers', provider.added(name), provider.removed(name)),
  ...at(
    'accounts',
    account.added,
    account.saved,
    account.removed(name),
    account.duplicateName,
    account.duplicateSipRealm,
  ),
  ...at(
    'accounts',
    account.mayNotManageAll,
    general.mayNotChange('Account'),
    account.secretGenerated,
    account.trialExpired,
  ),
  ...at('accounts', account.removeOwn.confirmationPhrase, account.removeOwn.wrongPhrase),
  ...at('accounts', apiKey.added, apiKey.removed, apiKey.neverUsed, bucket.valid, bucket.serviceKey.notJson),
  ...at('applications', application.added, application.saved, application.removed(name), application.duplicateName),
  ...at('applications', application.noAccess),
  ...at('carriers', carrier.none, carrier.added, carrier.saved, carrier.removed(name), carrier.gatewayRemoved),
  ...at('carriers', carrier.smppGatewayRemoved('outbound'), carrier.smppGatewayRemoved('inbound')),
  ...at('carriers', `${carrier.sendCallsTo} {realm}`, carrier.checkingGateways, carrier.gatewaysError),
  ...at('carriers', carrier.registered, carrier.unregistered, carrier.notStarted),
  ...at('carriers', carrier.mayNotRemove, general.mayNotChange('Carrier')),
  ...at('carriers', carrier.gateway.atLeastOne, carrier.gateway.fqdnOutboundOnly, carrier.gateway.invalidAddress),
  ...at('carriers', carrier.gateway.duplicate, carrier.smpp.atLeastOneOutbound, carrier.smpp.subdomain('{host}')),
  ...at('carriers', carrier.smpp.invalidAddress('outbound'), carrier.smpp.invalidAddress('inbound')),
  ...at('carriers', carrier.smpp.duplicate('outbound'), carrier.smpp.duplicate('inbound')),
  ...at('least-cost-routing', routing.purpose, routing.none, routing.added, routing.saved, routing.routesSaved),
  ...at('least-cost-routing', routing.routeRemoved, routing.removed(name), routing.removedOnPage(name)),
  ...at('least-cost-routing', routing.mayNotManageAll, routing.noCarriers, routing.noCarriersOfAccount),
  ...at('phone-numbers', number.added, number.saved, number.removed('{number}'), number.duplicateNumber),
  ...at('phone-numbers', number.updating, number.updated, number.chooseApplication),
  ...at(
    'ms-teams-tenants',
    teams.none,
    teams.needsAccount,
    teams.noDomain(name),
    teams.duplicateDomain,
    teams.added,
    teams.saved,
  ),
  ...at('ms-teams-tenants', teams.confirmRemoval('{domain}'), teams.removed('{domain}')),
  ...at('clients', client.none, client.realmRequired, client.noRealm, client.added, client.saved),
  ...at('clients', client.removedOnPage, client.removed('{username}')),
  ...at('speech-services', speech.added, speech.saved, speech.removed(name), speech.tested, speech.mayNotChange),
  ...at('speech-services', speech.mayNotRemove, speech.notTested, speech.voiceRequired),
]

const escaped = (words: string) => words.replace(/[.*+?^$()|[\]\\]/g, '\\$&')

/** Returns the catalogue entry of a message, with placeholders for its variable parts. */
export const entryOf = (sentence: string): string => {
  const entry = catalogue.find((each) =>
    new RegExp(`^${escaped(each.sentence).replace(/\{\w+\}/g, '.+')}$`).test(sentence),
  )
  if (!entry) throw new Error(`The catalogue does not promise: ${sentence}`)
  return entry.sentence
}
