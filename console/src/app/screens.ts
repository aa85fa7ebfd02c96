import type { Kind } from '@trunkline/contract/policy/policy'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { scopeRank } from '@trunkline/contract/policy/actor'
import { messages as accessMessages } from '@trunkline/contract/messages/access'
import { messages as accountMessages } from '@trunkline/contract/messages/account'
import { messages as generalMessages } from '@trunkline/contract/messages/general'
import type { ComponentType } from 'react'
import { getFeatureFlags } from '../lib/feature-flags'
import { paths } from '../lib/paths'
import { hasPermission } from '../session/permission'

export type ScreenComponent = ComponentType<{ sid?: string }>

/** A view inside the shell, with its own URL, title and access rule. */
export interface Screen {
  /**
   * The URL pattern; `$sid` is the record's SID. `{-$sid}` at the end is optional: the list opens with or without one of
   * its rows.
   */
  path: string
  /** The document title and, for a list, the first breadcrumb. '' for the page of a record, which its name titles. */
  title: string
  /** The list that this form belongs to. It is the first breadcrumb. */
  parent?: { label: string; href: string }
  /** The kind of record that `$sid` refers to. */
  kind?: Kind
  /** The rows that a list opens below its own path; an open row without a name gets the label. */
  row?: { kind: Kind; label: string }
  /** The kind of record that this screen adds. */
  addedKind?: Kind
  /** Loads the screen's code on the first visit. */
  load: () => Promise<ScreenComponent>
  /** Returns an error message if the actor may not open this screen. */
  getAccessError?: (actor: Actor, sid: string | undefined) => string | undefined
  /** True if this installation disables the screen. It is then not found. */
  isDisabled?: () => boolean
}

const requireProviderScope = (errorMessage: string) => (actor: Actor) =>
  scopeRank[actor.scope] < scopeRank.service_provider ? errorMessage : undefined

const requireAdmin = (errorMessage: string) => (actor: Actor) => (actor.scope === 'admin' ? undefined : errorMessage)

/** Account users may open only their own account. */
const requireOwnAccount = (actor: Actor, sid: string | undefined) =>
  actor.scope === 'account' && sid !== actor.account_sid ? accessMessages.foreignAccount : undefined

/** The screens of a kind of record: its list, the form that adds a record, the page that shows it, and the form that edits it. */
const createRecordScreens = (
  recordPaths: { list: string; add: string },
  title: string,
  kind: Kind,
  load: { list: Screen['load']; view?: Screen['load']; form: Screen['load'] },
  accessChecks: { list?: Screen['getAccessError']; edit?: Screen['getAccessError'] } = {},
): Screen[] => {
  const parent = { label: title, href: recordPaths.list }
  const recordScreen = { parent, kind, getAccessError: accessChecks.edit }
  return [
    { path: recordPaths.list, title, load: load.list, getAccessError: accessChecks.list },
    { path: recordPaths.add, title: 'Add', parent, addedKind: kind, load: load.form },
    ...(load.view ? [{ ...recordScreen, path: `${recordPaths.list}/$sid`, title: '', load: load.view }] : []),
    { ...recordScreen, path: `${recordPaths.list}/$sid/edit`, title: 'Edit', load: load.form },
  ]
}

/** A screen of the hosted edition below the user's own account. The API changes no other account in this way. */
const createOwnAccountScreen = ({ path, title, load }: Pick<Screen, 'path' | 'title' | 'load'>): Screen => ({
  path: `${paths.accounts.list}/$sid/${path}`,
  title,
  parent: { label: 'Accounts', href: paths.accounts.list },
  kind: 'account',
  load,
  getAccessError: (actor, sid) =>
    actor.scope === 'account' ? requireOwnAccount(actor, sid) : generalMessages.noAccess,
  isDisabled: () => !getFeatureFlags().hosted,
})

/** All screens inside the shell. The navigation and the search omit links to paths that are not listed here. */
export const screens: Screen[] = [
  {
    path: paths.home,
    title: 'Home',
    load: () => import('../features/home/screen').then((module) => module.Home),
  },
  {
    path: paths.settings,
    title: 'Settings',
    load: () => import('../features/settings/screen').then((module) => module.Settings),
    getAccessError: requireProviderScope(generalMessages.mayNotManageSettings),
  },
  {
    path: paths.plans,
    title: 'Plans and prices',
    parent: { label: 'Settings', href: paths.settings },
    load: () => import('../features/plans/screen').then((module) => module.PlansAndPrices),
    getAccessError: requireProviderScope(generalMessages.mayNotManageSettings),
    isDisabled: () => !getFeatureFlags().hosted,
  },
  {
    path: paths.systemHealth,
    title: 'System health',
    load: () => import('../features/system-health/screen').then((module) => module.SystemHealthScreen),
    getAccessError: requireAdmin(accessMessages.mayNotSeeSystemHealth),
  },
  ...createRecordScreens(
    paths.accounts,
    'Accounts',
    'account',
    {
      list: () => import('../features/accounts/list').then((module) => module.AccountList),
      view: () => import('../features/accounts/record').then((module) => module.AccountRecord),
      form: () => import('../features/accounts/form').then((module) => module.AccountForm),
    },
    { list: requireProviderScope(accountMessages.mayNotListAllAccounts), edit: requireOwnAccount },
  ),
  ...[
    {
      path: 'sip-realm/edit',
      title: 'SIP realm',
      load: () => import('../features/sip-realm/form').then((module) => module.SipRealmForm),
    },
    ...['subscription', 'modify-subscription'].map((path) => ({
      path,
      title: 'Subscription',
      load: () => import('../features/subscription/screen').then((module) => module.Subscription),
    })),
    {
      path: 'manage-payment',
      title: 'Manage payment',
      load: () => import('../features/subscription/manage-payment').then((module) => module.ManagePayment),
    },
  ].map(createOwnAccountScreen),
  ...createRecordScreens(paths.users, 'Users', 'user', {
    list: () => import('../features/users/list').then((module) => module.UserList),
    view: () => import('../features/users/record').then((module) => module.UserRecordPage),
    form: () => import('../features/users/form').then((module) => module.UserForm),
  }),
  ...createRecordScreens(paths.applications, 'Applications', 'application', {
    list: () => import('../features/applications/list').then((module) => module.ApplicationList),
    view: () => import('../features/applications/record').then((module) => module.ApplicationRecord),
    form: () => import('../features/applications/form').then((module) => module.ApplicationForm),
  }),
  {
    path: paths.captures,
    title: 'Captured SIP',
    parent: { label: 'Recent calls', href: paths.recentCalls },
    load: () => import('../features/recent-calls/list/list').then((module) => module.CapturedSip),
  },
  {
    path: `${paths.recentCalls}/{-$sid}`,
    title: 'Recent calls',
    row: { kind: 'recent_call', label: 'Call' },
    load: () => import('../features/recent-calls/list/list').then((module) => module.RecentCallList),
  },
  {
    path: paths.alerts,
    title: 'Alerts',
    load: () => import('../features/alerts/list').then((module) => module.AlertList),
  },
  ...createRecordScreens(paths.carriers, 'Carriers', 'voip_carrier', {
    list: () => import('../features/carriers/list').then((module) => module.CarrierList),
    view: () => import('../features/carriers/record').then((module) => module.CarrierRecord),
    form: () => import('../features/carriers/form').then((module) => module.CarrierForm),
  }),
  ...createRecordScreens(paths.speech, 'Speech services', 'speech_credential', {
    list: () => import('../features/speech-services/list').then((module) => module.SpeechServiceList),
    form: () => import('../features/speech-services/form').then((module) => module.SpeechServiceForm),
  }),
  ...createRecordScreens(paths.clients, 'SIP clients', 'client', {
    list: () => import('../features/clients/list').then((module) => module.ClientList),
    form: () => import('../features/clients/form').then((module) => module.ClientForm),
  }),
  ...createRecordScreens(paths.msTeamsTenants, 'Microsoft Teams tenants', 'ms_teams_tenant', {
    list: () => import('../features/ms-teams-tenants/list').then((module) => module.MsTeamsTenantList),
    form: () => import('../features/ms-teams-tenants/form').then((module) => module.MsTeamsTenantForm),
  }),
  {
    path: paths.phoneNumbers.import,
    title: 'Import',
    parent: { label: 'Phone numbers', href: paths.phoneNumbers.list },
    addedKind: 'phone_number',
    load: () => import('../features/phone-numbers/import').then((module) => module.ImportNumbers),
  },
  ...createRecordScreens(paths.phoneNumbers, 'Phone numbers', 'phone_number', {
    list: () => import('../features/phone-numbers/list').then((module) => module.PhoneNumberList),
    view: () => import('../features/phone-numbers/record').then((module) => module.PhoneNumberRecord),
    form: () => import('../features/phone-numbers/form').then((module) => module.PhoneNumberForm),
  }),
  ...createRecordScreens(
    paths.lcrs,
    'Outbound call routing',
    'lcr',
    {
      list: () => import('../features/least-cost-routing/list').then((module) => module.LcrList),
      form: () => import('../features/least-cost-routing/form').then((module) => module.LcrForm),
    },
    { list: requireAdmin(accessMessages.mayNotListAllLcrs) },
  ).map((screen) => ({ ...screen, isDisabled: () => !getFeatureFlags().leastCostRouting })),
]

/**
 * Returns the owner to check before a form for a new record opens. The current provider is not known yet: administrators
 * may add records to any provider, so their provider is null.
 */
export const getAddPermissionOwner = (actor: Actor): Owner => ({
  service_provider_sid: actor.scope === 'admin' ? null : actor.service_provider_sid,
  account_sid: actor.scope === 'account' ? actor.account_sid : null,
})

/**
 * Returns an error message if the actor may not open a screen, either because of its `getAccessError` or because the
 * policy forbids adding such a record.
 */
export const getScreenAccessError = (
  { addedKind, getAccessError }: Screen,
  actor: Actor,
  sid: string | undefined,
): string | undefined => {
  if (addedKind && !hasPermission(actor, 'create', addedKind, getAddPermissionOwner(actor)))
    return generalMessages.noAccess
  return getAccessError?.(actor, sid)
}

const optionalSid = '{-$sid}'

/** Does the screen stay open while one of its rows opens or closes? */
export const isListWithRows = ({ path }: Screen): boolean => path.endsWith(optionalSid)

const matchesPattern = (pattern: string, pathname: string) => {
  const pathSegments = pathname.split('/')
  const segments = pattern.split('/')
  const patternSegments =
    segments.at(-1) === optionalSid && segments.length > pathSegments.length ? segments.slice(0, -1) : segments
  return (
    patternSegments.length === pathSegments.length &&
    patternSegments.every((segment, index) => segment.includes('$') || segment === pathSegments[index])
  )
}

/** The screen at a path. */
export const findScreen = (pathname: string, candidates: readonly Screen[] = screens): Screen | undefined =>
  candidates.find(({ path, isDisabled }) => matchesPattern(path, pathname.replace(/\/+$/, '')) && !isDisabled?.())

/** The SID in the path of a screen. */
export const getSidFromPath = ({ path }: Screen, pathname: string): string | undefined => {
  const index = path.split('/').findIndex((segment) => segment.includes('$sid'))
  const segment = index < 0 ? undefined : pathname.split('/')[index]
  return segment === undefined ? undefined : decodeURIComponent(segment)
}
