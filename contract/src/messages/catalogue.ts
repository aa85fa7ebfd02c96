import { messages as account } from './account'
import { messages as apiKey } from './api-key'
import { messages as application } from './application'
import { messages as bucket } from './bucket'
import { messages as general } from './general'
import { messages as limit } from './limit'
import { messages as provider } from './service-provider'
import { messages as session } from './session'
import { messages as speech } from './speech'
import { messages as settings } from './system-information'
import { messages as cache } from './tts-cache'
import { messages as user } from './user'

/** Where people meet a sentence. */
export type Place =
  | 'anywhere'
  | 'sign-in'
  | 'create-password'
  | 'forgot-password'
  | 'users'
  | 'settings'
  | 'service-providers'
  | 'accounts'
  | 'applications'
  | 'speech-services'

/** Places that have no screen yet. */
export type ToCome = Extract<Place, 'speech-services'>

export interface Said {
  at: Place
  sentence: string
  /** The screen that the sentence waits for: it is said from the day that screen is there. */
  awaits?: ToCome
}

const at = (place: Place, ...sentences: string[]): Said[] => sentences.map((sentence) => ({ at: place, sentence }))

const awaiting = (screen: ToCome, ...sentences: string[]): Said[] =>
  at(screen, ...sentences).map((said) => ({ ...said, awaits: screen }))

/** What stands for the part of a sentence that differs each time. */
const name = '{name}'
const text = '{text}'

/** The sentences that the interface promises, with the place where each is said. Said once: in the files beside this one. */
export const catalogue: readonly Said[] = [
  ...at('anywhere', session.expired, session.unreachable, session.mustLogIn, session.loggedOut),
  ...at('anywhere', general.noAccess, general.noPage, general.crashed, general.asterisk),
  ...at('anywhere', general.copied(text), general.notCopied(text)),
  ...at('sign-in', session.wrongCredentials, session.failed),
  ...at('create-password', session.passwordsDiffer, session.capsLock, session.passwordRule.title),
  ...at('create-password', session.passwordRule.length(8), session.passwordRule.digit, session.passwordRule.special),
  ...at('forgot-password', session.reset.sent),
  ...at('users', user.added, user.saved, user.removed(name), user.badPassword, user.noAccounts),
  ...at('settings', provider.saved, settings.passwordSaved, cache.cleared, general.settingsNeedMore, limit.quantity),
  ...at('service-providers', provider.added(name), provider.removed(name)),
  ...at('accounts', account.added, account.saved, account.removed(name), account.nameTaken, account.realmTaken),
  ...at('accounts', account.mayNotManageAll, general.mayNotChange('Account'), account.secretMade, account.trialExpired),
  ...at('accounts', account.removeOwn.words, account.removeOwn.wordsDiffer),
  ...at('accounts', apiKey.added, apiKey.removed, apiKey.neverUsed, bucket.valid, bucket.serviceKey.noJson),
  ...at('applications', application.added, application.saved, application.removed(name), application.nameTaken),
  ...at('applications', application.noAccess),
  ...awaiting('speech-services', speech.tested, speech.mayNotChange),
]
